import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { CHANNEL } from './queries.ts'

/** A connection that hears what all instances are told (PostgreSQL's LISTEN), opened again when it breaks. */
export interface Listener {
  /** False while it is broken, or the database has not answered on it for a while. */
  readonly connected: boolean
  close(): Promise<void>
}

interface ListenerOptions {
  /** Makes a client that is not connected yet. */
  open: () => pg.Client
  heard: (message: string) => void
  /** The connection broke or was opened again: what was said meanwhile is lost. */
  missed: () => void
  log: FastifyBaseLogger
}

const HEARTBEAT_MS = 1_000
const ANSWER_MS = 2_000
const RECONNECT_MS = 500

/** Resolves after the first try to connect; when that fails, others follow. */
export async function listen({ open, heard, missed, log }: ListenerOptions): Promise<Listener> {
  let client: pg.Client | null = null
  let checking = false
  const closing = new AbortController()
  const heartbeat = setInterval(() => void check(), HEARTBEAT_MS).unref()

  async function begin(): Promise<pg.Client> {
    const opened = open()
    opened.on('notification', ({ payload = '' }) => heard(payload))
    // 'error' comes with 'end', which is looked at; without a listener it would end the process.
    opened.on('error', () => {})
    opened.on('end', () => lost(opened))
    await opened.connect()
    await opened.query(`listen ${CHANNEL}`)
    return opened
  }

  /** A server that stands still closes nothing: only an answer shows that it is there. */
  async function check(): Promise<void> {
    const asked = client
    if (asked === null || checking) return
    checking = true
    const late = sleep(ANSWER_MS, 'late' as const, { ref: false })
    const answer = await Promise.race([asked.query('select 1').catch(() => 'late' as const), late])
    checking = false
    if (answer === 'late') lost(asked)
  }

  function lost(which: pg.Client): void {
    if (client !== which || closing.signal.aborted) return
    client = null
    which.end().catch(() => {})
    log.warn('the connection that hears other instances is lost')
    missed()
    void reconnect()
  }

  async function reconnect(): Promise<void> {
    while (!closing.signal.aborted && client === null) {
      await sleep(RECONNECT_MS, undefined, { ref: false })
      if (closing.signal.aborted) return
      client = await begin().catch(() => null)
    }
    log.info('the connection that hears other instances is back')
    missed()
  }

  client = await begin().catch((error: unknown) => {
    log.error({ err: error }, 'no connection that hears other instances')
    return null
  })
  if (client === null) void reconnect()

  return {
    get connected() {
      return client !== null
    },
    async close() {
      closing.abort()
      clearInterval(heartbeat)
      // A server that stands still never says goodbye.
      const ended = client?.end().catch(() => {})
      await Promise.race([ended, sleep(ANSWER_MS, undefined, { ref: false })])
    },
  }
}
