import type { FastifyPluginAsync } from 'fastify'
import { ANNOUNCED } from '../../schemas/event-catalogue.ts'
import type { ChannelTiming } from './context.ts'
import { deliverWaiting } from './delivery.ts'
import { clearLog, DELIVER, putIntoOutbox, wakeDueChannels } from './outbox.ts'
import { PATIENCE } from './retries.ts'
import { deliveryRoutes } from './routes.deliveries.ts'
import { routes } from './routes.ts'
import { createSubscriptions } from './subscriptions.ts'

export type { ChannelTiming } from './context.ts'

const TIMING: ChannelTiming = { ...PATIENCE, timeoutMs: 15_000, sweepSeconds: 5 }

/** Channels that are told something at a time, on each instance. */
const CONCURRENCY = 8

/** What a receiver still has to answer in when the service stops. */
const CLOSING_MS = 2_000

/** Messages to the world outside: channels, and the outbox that delivers to them. */
const channels: FastifyPluginAsync<{ timing: Partial<ChannelTiming> }> = async (app, { timing }) => {
  app.decorate('channelTiming', { ...TIMING, ...timing })
  const [stopping, cut] = [new AbortController(), new AbortController()]
  // A long outbox goes on elsewhere, or after the next start; a call that is under way has a little time.
  app.addHook('preClose', async () => {
    stopping.abort()
    setTimeout(() => cut.abort(), CLOSING_MS).unref()
  })

  const subscriptions = createSubscriptions(app.db, app.mayRemember)
  app.events.on('channels.changed', () => subscriptions.forget())
  app.events.on('events.missed', () => subscriptions.forget())
  for (const event of ANNOUNCED) {
    // The instance that emits an event puts it into the outbox, so that it is there once.
    app.events.on(event, (payload, meta) =>
      meta.own ? putIntoOutbox(app, subscriptions, event, payload as never, meta) : undefined,
    )
  }

  app.jobs.define<{ channelId: string }>(
    DELIVER,
    ({ channelId }, signal) =>
      deliverWaiting(app, channelId, {
        signal: AbortSignal.any([signal, cut.signal]),
        stopping: stopping.signal,
      }),
    { concurrency: CONCURRENCY },
  )
  app.every(app.channelTiming.sweepSeconds, 'channels with messages that wait', () => wakeDueChannels(app))
  app.every(600, 'old deliveries', () => clearLog(app))

  await app.register(routes)
  await app.register(deliveryRoutes, { stopping: cut.signal })
}

export default channels
