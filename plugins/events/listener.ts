import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { CHANNEL } from './queries.ts'

/** A connection that receives the messages to all instances (PostgreSQL's LISTEN), reopened when it breaks. */
export interface Listener {
  /** False while the connection is broken or the database doesn't answer on it. */
  readonly connected: boolean
  close(): Promise<void>
}

interface ListenerOptions {
  /** Creates a client, not yet connected. */
  open: () => pg.Client
  received: (message: string) => void
  /** The connection broke or was reopened: messages in between are lost. */
  missed: () => void
  log: FastifyBaseLogger
}

const HEARTBEAT_MS = 1_000
const ANSWER_MS = 2_000
const RECONNECT_MS = 500

/** Resolves after the first attempt to connect; if it fails, others follow. */
export async function listen({ open, received, missed, log }: ListenerOptions): Promise<Listener> {
  let client: pg.Client | null = null
  let checking = false
  const closing = new AbortController()
  const heartbeat = setInterval(() => void check(), HEARTBEAT_MS).unref()

  async function begin(): Promise<pg.Client> {
    const opened = open()
    opened.on('notification', ({ payload = '' }) => received(payload))
    // 'end' follows each 'error', which would end the process without a listener.
    opened.on('error', () => {})
    opened.on('end', () => lost(opened))
    await opened.connect()
    await opened.query(`listen ${CHANNEL}`)
    return opened
  }

  /** A frozen server closes no connection; only an answer shows that it is alive. */
  async function check(): Promise<void> {
    const checked = client
    if (checked === null || checking) return
    checking = true
    const late = sleep(ANSWER_MS, 'late' as const, { ref: false })
    const answer = await Promise.race([checked.query('select 1').catch(() => 'late' as const), late])
    checking = false
    if (answer === 'late') lost(checked)
  }

  function lost(which: pg.Client): void {
    if (client !== which || closing.signal.aborted) return
    client = null
    which.end().catch(() => {})
    log.warn('LISTEN connection lost')
    missed()
    void reconnect()
  }

  async function reconnect(): Promise<void> {
    while (!closing.signal.aborted && client === null) {
      await sleep(RECONNECT_MS, undefined, { ref: false })
      if (closing.signal.aborted) return
      client = await begin().catch(() => null)
    }
    log.info('LISTEN connection restored')
    missed()
  }

  client = await begin().catch((error: unknown) => {
    log.error({ err: error }, 'LISTEN connection failed')
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
      // A frozen server never closes the connection.
      const ended = client?.end().catch(() => {})
      await Promise.race([ended, sleep(ANSWER_MS, undefined, { ref: false })])
    },
  }
}
