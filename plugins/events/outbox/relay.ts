import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Database } from '../../../db/tables/index.ts'
import type { QueueOptions } from '../../work/queue.ts'
import type { StoredEvent } from './event.ts'
import { deleteEvents, eventsDue, holdRelay, nextEvents, postponeEvent } from './queries.ts'

/**
 * Stores what follows from an event in `trx`, the transaction that also removes the event, so it happens once. A
 * consumer calls no other service.
 */
export type Consumer = (trx: Executor, event: StoredEvent) => Promise<void>

const BATCH = 50
/** About a day, with delays of up to an hour. */
const RETRIES = { maxTries: 36, maxSeconds: 3_600 }

class ConsumerFailed extends Error {
  readonly event: StoredEvent

  constructor(event: StoredEvent, cause: unknown) {
    super(`${event.name} not distributed`, { cause })
    this.event = event
  }
}

/** The only row of the queue: one instance at a time distributes events, in their order. */
const RELAY = 'relay'

/** Finds events due for another try, and those whose signal was missed. */
const POLL_SECONDS = 2

/** The queue that passes stored events to the consumers. */
export function relayQueue(
  db: Kysely<Database>,
  consumers: readonly Consumer[],
  log: FastifyBaseLogger,
): QueueOptions<string> {
  /** Returns how many events were distributed; null when another instance is the relay. */
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

  /** A failure rolls its batch back; then events are distributed one by one, up to the one that fails. */
  async function deliverAll(stopping: AbortSignal): Promise<void> {
    for (let limit = BATCH; !stopping.aborted;) {
      try {
        const count = await deliverBatch(limit)
        if (count === null || count === 0 || (count < limit && limit === BATCH)) return
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

  return {
    name: 'events',
    concurrency: 1,
    pollSeconds: POLL_SECONDS,
    wokenBy: ['outbox.filled', 'events.missed'],
    dueTimes: [eventsDue(RETRIES.maxSeconds)],
    // The real claim is a lock in each batch's transaction: a lease could lapse during the batch.
    claim: async () => [RELAY],
    async run(_, { stopping }) {
      await deliverAll(stopping)
      return 'later'
    },
  }
}
