import fp from 'fastify-plugin'
import type { Queue } from '../../../plugins/work/queue.ts'
import type { ChannelTiming } from '../context.ts'
import { channelQueue } from './delivery.ts'
import { deleteOldLog, queueEvent } from './messages.ts'
import { RETRY_POLICY } from './retries.ts'

declare module 'fastify' {
  interface FastifyInstance {
    deliveryQueue: Queue
  }
}

const TIMING: ChannelTiming = { ...RETRY_POLICY, timeoutMs: 15_000, sweepSeconds: 5, automatic: true }

const LOG_SECONDS = 600

/** Queues events for channels and sends them. */
export default fp<{ timing: Partial<ChannelTiming> }>(
  async (app, options) => {
    const timing = { ...TIMING, ...options.timing }
    app.decorate('channelTiming', timing)
    const { jobsDb: db, events, http, mail, secrets, installation, channelTiming, leases, log } = app
    const context = { db, events, http, mail, secrets, installation, channelTiming, leases, log }
    app.outbox.consume(queueEvent)
    const automatic = timing.automatic && {
      pollSeconds: timing.sweepSeconds,
      wokenBy: ['deliveries.added'] as const,
    }
    app.decorate('deliveryQueue', app.work.queue({ ...channelQueue(context), ...automatic }))
    app.work.every(LOG_SECONDS, 'deliveries.cleanup', () => deleteOldLog({ db: app.jobsDb }))
  },
  {
    name: 'channel-worker',
    dependencies: ['db', 'events', 'http', 'mail', 'secrets', 'outbox', 'work', 'installation'],
  },
)
