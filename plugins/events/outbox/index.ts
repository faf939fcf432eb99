import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { deleteFailedEvents, hasWaitingEvents } from './queries.ts'
import { relayQueue, type Consumer } from './relay.ts'

/** Distributes the events stored with their changes (a transactional outbox). */
interface Outbox {
  /** Adds a consumer of all events. */
  consume(consumer: Consumer): void
  /** Resolves when no waiting event can be distributed now; for tests. */
  drain(): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    outbox: Outbox
  }
}

const FAILED_KEPT_DAYS = 30
const CLEANUP_SECONDS = 3_600
/** Another instance may be distributing them. */
const BUSY_MS = 20

export default fp(
  async (app) => {
    const { jobsDb: db, log } = app
    const consumers: Consumer[] = []
    const queue = app.work.queue(relayQueue(db, consumers, log))
    app.decorate('outbox', {
      consume: (consumer) => void consumers.push(consumer),
      async drain() {
        while (await hasWaitingEvents(db)) {
          await queue.wake()
          await queue.idle()
          await sleep(BUSY_MS)
        }
      },
    } satisfies Outbox)
    app.work.every(CLEANUP_SECONDS, 'events.cleanup', () => deleteFailedEvents(db, FAILED_KEPT_DAYS))
  },
  { name: 'outbox', dependencies: ['db', 'events', 'work'] },
)
