import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { noting } from './effects.ts'
import { DatabaseUnavailable, DiskFull, isUnavailable } from './errors.ts'
import { preparing } from './prepared.ts'
import { traced } from './traced.ts'
import type { Database } from '../tables/index.ts'

/** Kysely on a pool that can be closed while the database doesn't answer. */
export interface Pool {
  db: Kysely<Database>
  /**
   * Fails all statements at once with DatabaseUnavailable until `open`. Existing connections are not reused:
   * after a failover they may lead to the wrong server or to one that hangs.
   */
  shut(): void
  open(): void
}

/** Timeout for a free or a new connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 4_500

interface PoolOptions {
  /** Whether statements are prepared; not through a pooler, where sessions are shared. */
  prepares?: boolean
  /** Whether the server's disk is known to be full; decides which error callers get. */
  isFull: () => boolean
}

export function createPool(config: pg.PoolConfig, { prepares = false, isFull }: PoolOptions): Pool {
  const inUse = new Set<pg.PoolClient>()

  function fill(): pg.Pool {
    const filled = new pg.Pool({
      application_name: 'zonekeeper',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      idleTimeoutMillis: 30_000,
      ...config,
    })
    // A broken connection leaves the pool and its statement fails; without a listener the error would end the
    // process.
    filled.on('error', () => {})
    filled.on('connect', (client) => client.on('error', () => {}))
    filled.on('acquire', (client) => inUse.add(client))
    filled.on('release', (_error, client) => inUse.delete(client))
    return filled
  }

  let pool = fill()
  let isShut = false
  let isEnded = false
  const waiting = new Set<(reason: Error) => void>()

  const away = () => (isFull() ? new DiskFull() : new DatabaseUnavailable())

  const connect = (): Promise<PostgresPoolClient> =>
    new Promise((resolve, reject) => {
      if (isShut) return reject(away())
      waiting.add(reject)
      pool.connect().then(
        // The caller has already been told that the pool is closed.
        (client) =>
          waiting.delete(reject)
            ? resolve(noting(traced(prepares ? preparing(client) : client)))
            : client.release(),
        (error: Error) => {
          waiting.delete(reject)
          reject(isUnavailable(error) && isFull() ? new DiskFull() : error)
        },
      )
    })

  const end = (): Promise<void> => {
    isEnded = true
    return pool.end()
  }

  return {
    db: new Kysely<Database>({
      dialect: new PostgresDialect({ pool: { connect, end, options: pool.options } }),
    }),
    shut() {
      // A ping may end after everything has ended.
      if (isShut || isEnded) return
      isShut = true
      for (const reject of waiting) reject(away())
      waiting.clear()
      // Ended while in use; each leaves the pool when its holder releases it.
      for (const client of inUse) if (client instanceof pg.Client) void client.end()
      void pool.end()
      pool = fill()
    },
    open() {
      isShut = false
    },
  }
}
