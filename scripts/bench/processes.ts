import { fork, type ChildProcess } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import type { BareRoute } from './bare.ts'
import { PASSWORD } from './seed.ts'

export interface Server {
  address: string
  child: ChildProcess
  close(): Promise<void>
}

/**
 * The service on this database, with its log in a file as in production. `rateLimit`: 0 also turns off the
 * limit of sign-ins; `jobs`: also works on the job queue; `nodeOptions` and `environment`: for its Node process.
 */
export const startService = (
  database: pg.ClientConfig,
  {
    rateLimit = 1_000_000,
    jobs = false,
    nodeOptions = [],
    environment = {},
  }: {
    rateLimit?: number
    jobs?: boolean
    nodeOptions?: string[]
    environment?: Record<string, string>
  } = {},
): Promise<Server> =>
  start('service.ts', nodeOptions, {
    BENCH_DATABASE: JSON.stringify(database),
    BENCH_RATE_LIMIT: String(rateLimit),
    BENCH_JOBS: String(jobs),
    LOG_LEVEL: 'info',
    ...environment,
  })

export const startBare = (route: BareRoute): Promise<Server> =>
  start('bare.ts', [], { BENCH_ROUTE: JSON.stringify(route) })

export const startStatic = (): Promise<Server> => start('static.ts', [], {})

async function start(file: string, execArgv: string[], environment: Record<string, string>): Promise<Server> {
  const directory = mkdtempSync(path.join(tmpdir(), 'zonekeeper-bench-log-'))
  const log = openSync(path.join(directory, 'log'), 'w')
  const child = fork(path.join(import.meta.dirname, file), {
    env: { ...process.env, NODE_ENV: 'production', ...environment },
    execArgv,
    stdio: ['ignore', log, 'inherit', 'ipc'],
  })
  closeSync(log)
  const address = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(message as string))
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
  })
  return {
    address,
    child,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await ended
      rmSync(directory, { recursive: true })
    },
  }
}

/** The header that authenticates a request as this user. */
export async function signIn(address: string, username: string): Promise<{ authorization: string }> {
  const response = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  const { accessToken } = (await response.json()) as { accessToken: string }
  if (response.status !== 200) throw new Error(`Sign-in of ${username} failed with ${response.status}`)
  return { authorization: `Bearer ${accessToken}` }
}
