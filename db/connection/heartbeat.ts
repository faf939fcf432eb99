import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseReadOnly, DatabaseUnavailable, isUnavailable } from './errors.ts'

interface Heartbeat {
  /** Resolves when the database takes writes; rejects with DatabaseReadOnly if it only answers reads, and after 2.5 s. */
  ping(): Promise<void>
  /** Pings every second; reports when answers stop, when only reads are answered, and (null) when all is well again. */
  watch(tell: (failure: Error | null) => void): void
  close(): Promise<void>
}

const INTERVAL_MS = 1_000
/** Plus the interval, this stays below the 5 s within which clients must get an answer. */
const TIME_LIMIT_MS = 2_500

/**
 * Pings the database on a separate connection. The server's statement timeout doesn't help if the server
 * hangs or is unreachable, and our own timeout couldn't tell that from a slow statement.
 */
export function createHeartbeat(config: pg.ClientConfig): Heartbeat {
  let session: pg.Client | null = null
  let asking: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let failure: Error | null = null
  let tell: (failure: Error | null) => void = () => {}

  async function ask(): Promise<void> {
    if (session === null) {
      const opened = new pg.Client({ ...config, connectionTimeoutMillis: 2 * TIME_LIMIT_MS })
      session = opened
      // The next ping replaces a broken connection.
      opened.on('error', () => {}).on('end', () => drop(opened))
      await opened.connect()
    }
    const { rows } = await session.query<{ readOnly: boolean }>(
      `select current_setting('transaction_read_only')::boolean as "readOnly"`,
    )
    if (rows[0]?.readOnly) throw new DatabaseReadOnly()
  }

  function drop(client: pg.Client | null): void {
    if (session === client) session = null
    void client?.end()
  }

  /** Callers of `ask`: once a ping has reported the database as up, statements find it open. */
  function heard(now: Error | null): void {
    if (timer === null || kindOf(now) === kindOf(failure)) return
    failure = now
    tell(now)
  }

  async function pingOnce(): Promise<void> {
    try {
      await withinTimeLimit(ask(), TIME_LIMIT_MS, () => new DatabaseUnavailable())
      heard(null)
    } catch (error) {
      // Also that to a standby: the address may lead to the primary by now.
      drop(session)
      // A server that rejects only this connection, because it has too many, still serves the others.
      heard(isUnavailable(error) && !isFull(error) ? (error as Error) : null)
      throw error
    }
  }

  function ping(): Promise<void> {
    asking ??= pingOnce().finally(() => (asking = null))
    return asking
  }

  return {
    ping,
    watch(listener) {
      tell = listener
      // The failure has been reported.
      timer ??= setInterval(() => void ping().catch(() => {}), INTERVAL_MS).unref()
    },
    async close() {
      if (timer) clearInterval(timer)
      await asking?.catch(() => {})
      drop(session)
    },
  }
}

const kindOf = (failure: Error | null): 'up' | 'read-only' | 'down' => {
  if (failure === null) return 'up'
  return failure instanceof DatabaseReadOnly ? 'read-only' : 'down'
}

const isFull = (error: unknown) => error instanceof pg.DatabaseError && error.code === '53300'

/**
 * Resolves with the result of the work, or rejects with `failure()` after `ms` milliseconds; the work is not
 * stopped. An answer that arrived in time counts even if this process was too busy to read it.
 */
async function withinTimeLimit<T>(work: Promise<T>, ms: number, failure: () => Error): Promise<T> {
  const over = new AbortController()
  const late = async (): Promise<never> => {
    await sleep(ms, undefined, { signal: over.signal })
    await nextTurn()
    throw failure()
  }
  try {
    return await Promise.race([work, late()])
  } finally {
    over.abort()
  }
}
