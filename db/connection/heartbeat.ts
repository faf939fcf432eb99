import pg from 'pg'
import { DatabaseUnavailable, isUnavailable } from './errors.ts'
import { withinTimeLimit } from './time-limit.ts'

interface Heartbeat {
  /** Resolves when the database has answered; rejects when it did not within 2.5 s. */
  ping(): Promise<void>
  /** Pings every second, and tells when the answers cease, and when they come again (null). */
  watch(tell: (failure: Error | null) => void): void
  close(): Promise<void>
}

const INTERVAL_MS = 1_000
/** With the interval less than the 5 s after which a client must have been told. */
const TIME_LIMIT_MS = 2_500

/**
 * Asks the database on a connection of its own whether it answers. A time limit of the server's ends no statement
 * of a server that stands still or can't be reached, and one of ours could not tell that from a slow statement.
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
      // One that breaks is replaced by the next ping.
      opened.on('error', () => {}).on('end', () => drop(opened))
      await opened.connect()
    }
    await session.query('select 1')
  }

  function drop(client: pg.Client | null): void {
    if (session === client) session = null
    void client?.end()
  }

  /** Whoever asked: when a ping has told that the database is there, statements find it. */
  function heard(now: Error | null): void {
    if (timer === null || (now === null) === (failure === null)) return
    failure = now
    tell(now)
  }

  async function pingOnce(): Promise<void> {
    try {
      await withinTimeLimit(ask(), TIME_LIMIT_MS, () => new DatabaseUnavailable())
      heard(null)
    } catch (error) {
      drop(session)
      // A server that refuses this one connection, because it has too many, serves the others.
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
      // The failure has been told.
      timer ??= setInterval(() => void ping().catch(() => {}), INTERVAL_MS).unref()
    },
    async close() {
      if (timer) clearInterval(timer)
      await asking?.catch(() => {})
      drop(session)
    },
  }
}

const isFull = (error: unknown) => error instanceof pg.DatabaseError && error.code === '53300'
