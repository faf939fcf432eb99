import fp from 'fastify-plugin'
import { deleteFailedEvents, eventsDue } from './queries.ts'
import { createRelay, RETRIES, type Consumer } from './relay.ts'

export type { Consumer } from './relay.ts'

/** Tells the events that were stored with their changes (a transactional outbox). */
interface Outbox {
  /** Takes part in telling every event. */
  consume(consumer: Consumer): void
  /** Tells what waits, and resolves when nothing does that could be told now. */
  drain(): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    outbox: Outbox
  }
}

/** What no signal tells of is found after that: of an instance that ended in between, or for another try. */
const POLL_SECONDS = 2
const FAILED_KEPT_DAYS = 30

export default fp(
  async (app) => {
    const relay = createRelay(app.jobsDb, app.log)
    app.decorate('outbox', relay satisfies Outbox)

    app.events.on('outbox.filled', () => relay.run())
    app.events.on('events.missed', () => relay.run())
    app.work.everyInstance(POLL_SECONDS, 'events that wait', () => relay.run())
    app.work.every(3_600, 'events.cleanup', () => deleteFailedEvents(app.jobsDb, FAILED_KEPT_DAYS))
    app.dueTimes.bound(eventsDue(RETRIES.maxSeconds))
    app.addHook('onClose', () => relay.stop())
  },
  { name: 'outbox', dependencies: ['db', 'events', 'work'] },
)
