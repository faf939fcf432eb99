import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Database } from '../../../db/tables/index.ts'
import type { StoredEvent } from './event.ts'
import { deleteEvents, hasWaitingEvents, holdRelay, nextEvents, postponeEvent } from './queries.ts'

/**
 * Takes part in telling an event: writes in `trx`, the transaction that also removes the event, what is to
 * become of it; so that happens once. It calls nobody outside.
 */
export type Consumer = (trx: Executor, event: StoredEvent) => Promise<void>

interface Relay {
  consume(consumer: Consumer): void
  /** Tells what waits, unless another instance is at it; never rejects for a consumer that fails. */
  run(): Promise<void>
  drain(): Promise<void>
  stop(): Promise<void>
}

const BATCH = 50
/** About a day, with pauses up to an hour. */
export const RETRIES = { maxTries: 36, maxSeconds: 3_600 }
const BUSY_MS = 20

class ConsumerFailed extends Error {
  readonly event: StoredEvent

  constructor(event: StoredEvent, cause: unknown) {
    super(`${event.name} could not be told`, { cause })
    this.event = event
  }
}

export function createRelay(db: Kysely<Database>, log: FastifyBaseLogger): Relay {
  const consumers: Consumer[] = []
  let running: Promise<void> | null = null
  let again = false
  const stopping = new AbortController()

  /** Answers how many events were told; null: another instance tells them now. */
  const deliverBatch = (limit: number): Promise<number | null> =>
    db.transaction().execute(async (trx) => {
      if (!(await holdRelay(trx))) return null
      const events = await nextEvents(trx, limit)
      for (const event of events) await deliverOne(trx, event)
      if (events.length > 0)
        await deleteEvents(
          trx,
          events.map(({ position }) => position),
        )
      return events.length
    })

  async function deliverOne(trx: Executor, event: StoredEvent): Promise<void> {
    try {
      for (const consumer of consumers) await consumer(trx, event)
    } catch (error) {
      throw new ConsumerFailed(event, error)
    }
  }

  /** A failure undoes its batch; then the events are told one by one, up to the one that is to blame. */
  async function deliverAll(): Promise<void> {
    for (let limit = BATCH; !stopping.signal.aborted;) {
      try {
        const told = await deliverBatch(limit)
        if (told === null || told === 0 || (told < limit && limit === BATCH)) return
        limit = BATCH
      } catch (error) {
        if (!(error instanceof ConsumerFailed)) throw error
        if (limit === 1) await postpone(error)
        else limit = 1
      }
    }
  }

  async function postpone({ event, cause, message }: ConsumerFailed): Promise<void> {
    const givenUp = await postponeEvent(db, event.position, RETRIES)
    log.error({ err: cause, eventId: event.id, givenUp }, message)
  }

  async function runAgain(): Promise<void> {
    do {
      again = false
      await deliverAll()
    } while (again && !stopping.signal.aborted)
  }

  async function run(): Promise<void> {
    again = true
    running ??= runAgain().finally(() => (running = null))
    await running
  }

  return {
    consume: (consumer) => void consumers.push(consumer),
    run,
    async drain() {
      while (await hasWaitingEvents(db)) {
        await run()
        await sleep(BUSY_MS)
      }
    },
    async stop() {
      stopping.abort()
      await running?.catch(() => {})
    },
  }
}
