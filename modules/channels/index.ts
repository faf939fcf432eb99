import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import type { Queue } from '../../plugins/work/queue.ts'
import type { ChannelTiming } from './context.ts'
import { channelQueue } from './delivery/delivery.ts'
import { deleteOldLog, queueEvent } from './delivery/messages.ts'
import { RETRY_POLICY } from './delivery/retries.ts'
import { deliveryRoutes } from './delivery/routes.ts'
import { routes } from './routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    deliveryQueue: Queue
  }
}

const TIMING: ChannelTiming = { ...RETRY_POLICY, timeoutMs: 15_000, sweepSeconds: 5, automatic: true }

const LOG_SECONDS = 600

/** Messages to external receivers: channel configurations, the queue of deliveries, and their log. */
export default fp<{ channelTiming?: Partial<ChannelTiming> }>(
  async (app, options) => {
    const timing = { ...TIMING, ...options.channelTiming }
    app.decorate('channelTiming', timing)
    const { jobsDb: db, events, http, mail, secrets, installation, channelTiming, leases, log } = app
    const context = { db, events, http, mail, secrets, installation, channelTiming, leases, log }
    app.outbox.consume(queueEvent)
    const automatic = timing.automatic && {
      pollSeconds: timing.sweepSeconds,
      wokenBy: ['deliveries.added'] as const,
    }
    app.decorate('deliveryQueue', app.work.queue({ ...channelQueue(context), ...automatic }))
    app.work.every(LOG_SECONDS, 'deliveries.cleanup', () => deleteOldLog(db))

    // Aborts channel tests that wait for a receiver.
    const stopping = new AbortController()
    app.addHook('preClose', async () => stopping.abort())
    for (const audience of [SIGNED_IN, OPEN_API]) {
      const options = { prefix: audience.base, audience }
      await app.register(routes, options)
      await app.register(deliveryRoutes, { ...options, stopping: stopping.signal })
    }
  },
  {
    name: 'channels',
    dependencies: [
      'access',
      'audit',
      'db',
      'events',
      'http',
      'installation',
      'mail',
      'outbox',
      'rate-limit',
      'secrets',
      'work',
    ],
  },
)
