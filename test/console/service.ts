import { fileURLToPath } from 'node:url'
import { startApp, type TestApp } from '../helpers/app.ts'
import { freePort } from '../peers/processes.ts'

/** Where scripts/test.ts has built the console. */
export const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url))

export interface ConsoleService extends TestApp {
  /** Where it listens and what it says that it is at. */
  origin: string
}

/** The whole service with its console, listening on a free port of localhost. */
export async function startConsole(
  t: Parameters<typeof startApp>[0],
  { environment, ...options }: Parameters<typeof startApp>[1] = {},
): Promise<ConsoleService> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const started = await startApp(t, {
    consoleDist: DIST,
    ...options,
    environment: { SITE_URL: origin, ...environment },
  })
  await started.app.listen({ host: '127.0.0.1', port })
  return { ...started, origin }
}
