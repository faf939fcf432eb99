import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../helpers/until.ts'
import { freePort, startProgram, type Program } from './processes.ts'

export interface RedisServer {
  url: string
  stop(): Promise<unknown>
  /** At once. */
  kill(): Promise<unknown>
  /** It neither answers nor refuses, until `goOn`. */
  standStill(): void
  goOn(): void
  /** Again, on the same port, empty. */
  start(): Promise<void>
}

interface Owner {
  teardown(end: () => unknown): void
}

/** A real Redis on a free port that stores nothing. */
export async function startRedis(t: Owner): Promise<RedisServer> {
  const dir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-redis-'))
  const port = await freePort()
  let program: Program
  const start = async () => {
    const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir }
    const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    program = await startProgram(['redis-server', ...options])
    await until('Redis is ready', () => program.output().includes('Ready to accept connections'))
  }
  await start()
  t.teardown(async () => {
    await program.kill()
    rmSync(dir, { recursive: true, force: true })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop: () => program.stop(),
    kill: () => program.kill(),
    standStill: () => void process.kill(program.pid, 'SIGSTOP'),
    goOn: () => void process.kill(program.pid, 'SIGCONT'),
  }
}
