import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { TestDatabase } from '../helpers/database.ts'
import { inherited } from '../helpers/environment.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Runs a script of the service with only these variables. Answers what it printed, both streams together. */
export async function runScript(
  script: string,
  options: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts', script), ...options], {
    cwd: ROOT,
    env: { ...inherited(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** The address of a test's database as DATABASE_URL takes it. */
export function urlOf({ config }: TestDatabase): string {
  if (config.connectionString !== undefined) {
    const url = new URL(config.connectionString)
    url.pathname = `/${config.database}`
    return url.href
  }
  const query = new URLSearchParams({ host: String(config.host), port: String(config.port) })
  return `postgres://${config.user}@localhost/${config.database}?${query.toString()}`
}
