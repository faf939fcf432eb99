import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, ms, verdict, type Result } from './report.ts'

const ROUNDS = 5
const READY_MS = 30_000
/** What `npm start` gives Node. */
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
const ARGUMENTS = scripts.start.split(' ').slice(2)

/** Time after which an idle process has collected the garbage of its start. */
const IDLE_MS = 10_000

/**
 * Time from starting the process to its first answer, with a new and with an existing database; idle memory.
 */
export async function start(): Promise<Result> {
  const fresh: number[] = []
  const again: number[] = []
  const memory: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-bench-'))
    try {
      fresh.push(await startOnce(dataDir))
      const idle = round === 0 ? async (pid: number) => void memory.push(await idleMemory(pid)) : undefined
      again.push(await startOnce(dataDir, idle))
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  const row = (what: string, values: number[]) => ({
    what,
    median: ms(median(values)),
    slowest: ms(Math.max(...values)),
  })
  const idle = Math.round(median(memory))
  return {
    title: 'Start time until `/healthz` answers, and idle memory.',
    target: 'under 3 s with a fresh embedded database; idle process under 200 MB',
    rows: [
      { ...row('new database', fresh), holds: verdict(median(fresh) < 3_000) },
      { ...row('existing database', again), holds: '' },
      { what: 'idle memory (RSS)', median: `${idle} MB`, slowest: '', holds: verdict(idle < 200) },
    ],
  }
}

async function startOnce(dataDir: string, look?: (pid: number) => Promise<void>): Promise<number> {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn(process.execPath, ARGUMENTS, {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataDir, HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await answered(child, `http://127.0.0.1:${port}/healthz`)
    const took = performance.now() - begun
    if (look) await look(child.pid as number)
    return took
  } finally {
    await end(child)
  }
}

async function answered(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + READY_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(url).catch(
      // Not listening yet.
      () => null,
    )
    if (response?.ok) return
    await sleep(5)
  }
  throw new Error('The service did not start')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function idleMemory(pid: number): Promise<number> {
  await sleep(IDLE_MS)
  return memoryOf(pid)
}

/** Resident memory of a process in MB (Linux). */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
