import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import { hasRoom } from '../embedded/disk.ts'
import { DiskFull } from './errors.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createPool } from './pool.ts'
import type { Database } from '../tables/index.ts'

/** A database or a transaction of it: what every query takes first. */
export type Executor = Kysely<Database> | Transaction<Database>

export interface Connection {
  /** For requests: a statement ends after 15 s. */
  db: Kysely<Database>
  /** For work that takes long (syncs, settling, upkeep), so that it can't keep requests waiting. */
  jobs: Kysely<Database>
  /** How to reach the server itself, not a pooler before it: for sessions that are kept. */
  direct: pg.ClientConfig
  /** A session of its own, not yet connected, for LISTEN and the like; its owner listens to its errors and ends it. */
  createClient(): pg.Client
  /**
   * Resolves when the database answers, on a connection of its own, and has room on its disk as far as that can be seen;
   * rejects when it did not within 2.5 s.
   */
  ping(): Promise<void>
  /**
   * From now on statements fail within 4 s with DatabaseUnavailable when the database stands still, and at once
   * as long as it does. `tell` hears of the beginning of it (the reason) and of the end (null).
   */
  watch(tell: (failure: Error | null) => void): void
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** What a session may do, by the kind of its work; times in milliseconds, ended by the server. */
const REQUESTS: pg.PoolConfig = {
  max: 10,
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
}
const JOBS: pg.PoolConfig = {
  max: 4,
  statement_timeout: 300_000,
  lock_timeout: 15_000,
  idle_in_transaction_session_timeout: 60_000,
}

interface ConnectOptions {
  /** What is before the server, and what requests go through. */
  pooler?: pg.ClientConfig
  /** Where the server keeps its data, when that can be seen from here. */
  dataDir?: string
}

/** Opens the database; connects on first use. Addresses as pg.Client takes them. */
export function connect(direct: pg.ClientConfig, { pooler, dataDir }: ConnectOptions = {}): Connection {
  const isFull = () => dataDir !== undefined && !hasRoom(dataDir)
  // A pooler refuses limits that come with the connection: its sessions have those of the role.
  const requests = createPool(pooler ? { max: REQUESTS.max, ...pooler } : { ...REQUESTS, ...direct }, {
    prepares: pooler === undefined,
    isFull,
  })
  const jobs = createPool({ ...JOBS, ...direct, application_name: 'zonekeeper jobs' }, { isFull })
  const heartbeat = createHeartbeat({ ...(pooler ?? direct), application_name: 'zonekeeper heartbeat' })
  const pools = [requests, jobs]
  return {
    db: requests.db,
    jobs: jobs.db,
    direct,
    createClient: () => new pg.Client({ application_name: 'zonekeeper', keepAlive: true, ...direct }),
    ping: async () => {
      if (isFull()) throw new DiskFull()
      await heartbeat.ping()
    },
    watch: (tell) =>
      heartbeat.watch((failure) => {
        for (const pool of pools) {
          if (failure) pool.shut()
          else pool.open()
        }
        tell(failure && isFull() ? new DiskFull() : failure)
      }),
    close: async () => {
      await Promise.all([heartbeat.close(), ...pools.map(({ db }) => db.destroy())])
    },
  }
}

/** By the addresses of DATABASE_URL and DATABASE_DIRECT_URL. */
export const connectByUrl = (url: string, directUrl: string | null): Connection =>
  directUrl === null
    ? connect({ connectionString: url })
    : connect({ connectionString: directUrl }, { pooler: { connectionString: url } })
