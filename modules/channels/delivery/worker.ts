import fp from 'fastify-plugin'
import type { ChannelTiming } from '../context.ts'
import { createDeliveryWorker, type DeliveryWorker } from './delivery.ts'
import { clearLog, putIntoOutbox } from './outbox.ts'
import { channelsDue } from './outbox-queries.ts'
import { RETRY_POLICY } from './retries.ts'
import { SENDERS } from '../senders/registry.ts'

declare module 'fastify' {
  interface FastifyInstance {
    deliveryWorker: DeliveryWorker
  }
}

const TIMING: ChannelTiming = { ...RETRY_POLICY, timeoutMs: 15_000, sweepSeconds: 5, automatic: true }

/** What a receiver still has to answer in when the service stops. */
const CLOSING_MS = 2_000
const LOG_SECONDS = 600

/** Puts events into the outboxes of channels, and sends what waits there. */
export default fp<{ timing: Partial<ChannelTiming> }>(
  async (app, options) => {
    const timing = { ...TIMING, ...options.timing }
    const [stopping, cut] = [new AbortController(), new AbortController()]
    // A long outbox goes on elsewhere, or after the next start; a call that is under way has a little time.
    app.addHook('preClose', async () => {
      stopping.abort()
      setTimeout(() => cut.abort(), CLOSING_MS).unref()
    })
    app.decorate('channelTiming', timing)
    const { jobsDb: db, events, http, mail, secrets, installation, channelTiming, leases, log } = app
    const context = { db, events, http, mail, secrets, installation, channelTiming, leases, log }
    const worker = createDeliveryWorker(context, { signal: cut.signal, stopping: stopping.signal })
    app.decorate('deliveryWorker', worker)
    app.addHook('onClose', () => worker.idle())

    for (const due of channelsDue(Object.entries(SENDERS))) app.dueTimes.bound(due)
    app.outbox.consume(putIntoOutbox)
    if (timing.automatic) {
      app.events.on('deliveries.added', () => worker.begin())
      app.work.everyInstance(timing.sweepSeconds, 'channels with messages that wait', () => worker.begin())
    }
    app.work.every(LOG_SECONDS, 'deliveries.cleanup', () => clearLog({ db: app.jobsDb }))
  },
  {
    name: 'channel-worker',
    dependencies: ['db', 'events', 'http', 'mail', 'secrets', 'outbox', 'work', 'installation'],
  },
)
