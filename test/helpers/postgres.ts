import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { connect } from '../../db/connection/connect.ts'
import { startEmbedded, type EmbeddedPostgres } from '../../db/embedded/embedded.ts'
import { migrate } from '../../db/migrations/migrator.ts'
import { createPasswordHashes } from '../../plugins/security/password-hashes.ts'
import { ensureFirstAdministrator } from '../../modules/users/service.ts'
import { CHEAP, PASSWORD } from './app.ts'
import type { TestDatabase } from './database.ts'

/** A PostgreSQL of the test's own, to do harm to. */
export interface OwnPostgres {
  database: TestDatabase
  /** In order, ending the sessions. */
  stop(): Promise<void>
  /** Where it was before. */
  start(): Promise<void>
  /** To the postmaster, or to it and all of its processes. */
  signal(signal: NodeJS.Signals, to: 'postmaster' | 'all'): void
  /** At once, without a word to anybody. */
  crash(): Promise<void>
  /** One of its processes dies (kill -9), upon which it ends all sessions and recovers. */
  killOne(): void
}

interface Owner {
  teardown(end: () => unknown): void
}

/** What was committed has left the process. */
const SURVIVES_CRASH = { synchronous_commit: 'on' }

/** With a migrated database and the administrator `root`; gone when the test ends. */
export async function startOwnPostgres(t: Owner): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'zk-own-'))
  let server: EmbeddedPostgres = await startEmbedded({ dataDir, durable: false, settings: SURVIVES_CRASH })
  const config = server.connection
  const connection = connect(config)
  const postgres: OwnPostgres = {
    database: { ...connection, config },
    stop: () => server.stop(),
    async start() {
      server = await startEmbedded({ dataDir, durable: false, settings: SURVIVES_CRASH })
    },
    signal(signal, to) {
      for (const pid of to === 'all' ? [server.pid, ...childrenOf(server.pid)] : [server.pid]) {
        process.kill(pid, signal)
      }
    },
    async crash() {
      process.kill(server.pid, 'SIGQUIT')
      await server.ended
    },
    killOne() {
      const idle = ps('-o', 'pid=,args=', '--ppid', String(server.pid)).find((line) => line.includes('idle'))
      process.kill(Number.parseInt(idle as string), 'SIGKILL')
    },
  }
  t.teardown(async () => {
    await connection.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  })
  await migrate(connection.jobs)
  const passwordHashes = createPasswordHashes(CHEAP)
  const root = { username: 'root', password: PASSWORD, siteUrl: 'http://localhost:3000' }
  await ensureFirstAdministrator({ db: connection.db, passwordHashes }, root)
  return postgres
}

/** The way to a server on a Unix socket, as a TCP port that can be made to fail, or to lead elsewhere. */
export interface Network {
  port: number
  /** What connects from now on gets there. */
  leadTo(server: pg.ClientConfig): void
  /** Nothing arrives any more on what is connected. */
  standStill(): void
  /** What is connected is cut off. */
  reset(): void
}

export async function startNetwork(t: Owner, first: pg.ClientConfig): Promise<Network> {
  let { host, port } = first
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    const behind = createConnection(path.join(String(host), `.s.PGSQL.${port}`))
    clients.add(client)
    client
      .on('error', () => {})
      .on('close', () => {
        clients.delete(client)
        behind.destroy()
      })
    behind.on('error', () => {}).on('close', () => client.destroy())
    client.pipe(behind).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const reset = () => {
    for (const client of clients) {
      // Reset while it ends, a socket of Node's never closes, and the process spins for ever at its end.
      if (client.writableEnded) client.destroy()
      else client.resetAndDestroy()
    }
  }
  t.teardown(() => {
    reset()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(next) {
      ;({ host, port } = next)
    },
    standStill() {
      for (const client of clients) client.unpipe().pause()
    },
    reset,
  }
}

const ps = (...options: string[]): string[] =>
  execFileSync('ps', options, { encoding: 'utf8' }).trim().split('\n')

const childrenOf = (pid: number): number[] => ps('-o', 'pid=', '--ppid', String(pid)).map(Number)
