import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import { hasRoom } from '../embedded/disk.ts'
import { DatabaseReadOnly, DiskFull } from './errors.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createPool } from './pool.ts'
import type { Database } from '../tables/index.ts'

/** The database or a transaction in it; the first argument of every query. */
export type Executor = Kysely<Database> | Transaction<Database>

export interface Connection {
  /** For requests: statements time out after 15 s. */
  db: Kysely<Database>
  /** For long work (syncs, reconciliation, cleanup), so that it can't block requests. */
  jobs: Kysely<Database>
  /** Address of the server itself, bypassing any pooler; for long-lived sessions. */
  direct: pg.ClientConfig
  /** A dedicated, unconnected session for LISTEN and the like; the caller handles its errors and ends it. */
  createClient(): pg.Client
  /**
   * Resolves if the database takes writes on a separate connection and, as far as that is visible, has free disk
   * space; rejects after 2.5 s, and with DatabaseReadOnly if it answers reads alone.
   */
  ping(): Promise<void>
  /**
   * From now on, statements fail with DatabaseUnavailable within 4 s of the database hanging, and at once
   * while it hangs. Calls `tell` with the reason when an outage starts or changes, and with null when it ends. A
   * database that is read-only still answers reads.
   */
  watch(tell: (failure: Error | null) => void): void
  /** Waits for running statements. */
  close(): Promise<void>
}

/** Session limits by kind of work, in milliseconds; enforced by the server. */
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
  /** Whether a pooler sits in front of the server, and the pool for requests. */
  pooler?: pg.ClientConfig
  /** The server's data directory, if it is on this machine. */
  dataDir?: string
}

/** Opens the database; connects on first use. Takes addresses in the format of pg.Client. */
export function connect(direct: pg.ClientConfig, { pooler, dataDir }: ConnectOptions = {}): Connection {
  const isFull = () => dataDir !== undefined && !hasRoom(dataDir)
  // A pooler rejects limits sent with the connection; its sessions use those of the role.
  const requests = createPool(pooler ? { max: REQUESTS.max, ...pooler } : { ...REQUESTS, ...direct }, {
    prepares: pooler === undefined,
    isFull,
  })
  const jobs = createPool({ ...JOBS, ...direct, application_name: 'zonekeeper jobs' }, { isFull })
  const heartbeat = createHeartbeat({ ...(pooler ?? direct), application_name: 'zonekeeper heartbeat' })
  const pools = [requests, jobs]
  let wasReadOnly = false
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
        const answers = failure === null || failure instanceof DatabaseReadOnly
        for (const pool of pools) {
          // Connections to what was a standby may still lead to one.
          if (!answers || wasReadOnly) pool.shut()
          if (answers) pool.open()
        }
        wasReadOnly = failure instanceof DatabaseReadOnly
        tell(failure && isFull() ? new DiskFull() : failure)
      }),
    close: async () => {
      await Promise.all([heartbeat.close(), ...pools.map(({ db }) => db.destroy())])
    },
  }
}

/** Opens DATABASE_URL and DATABASE_DIRECT_URL. */
export const connectByUrl = (url: string, directUrl: string | null): Connection =>
  directUrl === null
    ? connect({ connectionString: url })
    : connect({ connectionString: directUrl }, { pooler: { connectionString: url } })
