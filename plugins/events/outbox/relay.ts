import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Database } from '../../../db/tables/index.ts'
import type { QueueOptions } from '../../work/queue.ts'
import type { StoredEvent } from './event.ts'
import { deleteEvents, eventsDue, holdRelay, nextEvents, postponeEvent } from './queries.ts'

/**
 * Takes part in telling an event: writes in `trx`, the transaction that also removes the event, what is to
 * become of it; so that happens once. It calls nobody outside.
 */
export type Consumer = (trx: Executor, event: StoredEvent) => Promise<void>

const BATCH = 50
/** About a day, with pauses up to an hour. */
const RETRIES = { maxTries: 36, maxSeconds: 3_600 }

class ConsumerFailed extends Error {
  readonly event: StoredEvent

  constructor(event: StoredEvent, cause: unknown) {
    super(`${event.name} could not be told`, { cause })
    this.event = event
  }
}

/** The one entry of the queue: events are distributed in their order, by one instance at a time. */
const RELAY = 'relay'

/** Finds events that no signal announced, of an instance that died or due for another try. */
const POLL_SECONDS = 2

/** The queue that passes stored events to the consumers. */
export function relayQueue(
  db: Kysely<Database>,
  consumers: readonly Consumer[],
  log: FastifyBaseLogger,
): QueueOptions<string> {
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
  async function deliverAll(stopping: AbortSignal): Promise<void> {
    for (let limit = BATCH; !stopping.aborted;) {
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

  return {
    name: 'events',
    concurrency: 1,
    pollSeconds: POLL_SECONDS,
    wokenBy: ['outbox.filled', 'events.missed'],
    dueTimes: [eventsDue(RETRIES.maxSeconds)],
    // The claim is a lock of each batch's transaction, since a lease could lapse during it.
    claim: async () => [RELAY],
    async run(_, { stopping }) {
      await deliverAll(stopping)
      return 'later'
    },
  }
}
