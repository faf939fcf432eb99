import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { notifyPeople } from './notifier.ts'
import { sumUpMails } from './mail.ts'
import { routes } from './routes.ts'
import { streamRoutes } from './stream/routes.ts'
import { clearAll, deleteOldEntries } from './store-queries.ts'
import { clearSlots, deleteLapsedSlots, LEASE_SECONDS } from './stream/stream-slots-queries.ts'
import { createStreamSlots } from './stream/stream-slots.ts'
import { createStreamFeed, endForbiddenStreams } from './stream/streams.ts'

/** How often to recheck the owners of streams, for changes without an event, such as an expired session. */
const CHECK_SECONDS = 60
/** How often to look for notifications whose signal was missed. */
const FEED_SECONDS = 5
/** Several times in the lease of a slot. */
const RENEWAL_SECONDS = 10
const UPKEEP_SECONDS = 600
/** Delay of the summary of held-back emails after their hour. */
const SUM_SECONDS = 60

/** Notifications of users: their list and event stream. */
const notifications: FastifyPluginAsync<{ alone: boolean }> = async (app, { alone }) => {
  const { db, jobsDb, events, mail, installation, sse } = app
  const slots = createStreamSlots({ db, jobsDb, log: app.log })
  const context = { db, sse, slots, installation }
  app.outbox.consume((trx, event) => notifyPeople({ mail, installation }, trx, event))

  const feed = createStreamFeed({ db: jobsDb, sse })
  app.addHook('onReady', () =>
    feed().catch((error: unknown) => app.log.error({ err: error }, 'open streams')),
  )
  events.on('notifications.added', () => feed())
  events.on('events.missed', () => feed())
  app.work.everyInstance(FEED_SECONDS, 'open streams', () => feed())

  events.on('user.changed', ({ userId }) => endForbiddenStreams(context, userId))
  events.on('events.missed', () => endForbiddenStreams(context))
  app.work.everyInstance(CHECK_SECONDS, 'streams of ended sessions', () => endForbiddenStreams(context))
  app.work.every(UPKEEP_SECONDS, 'notifications.cleanup', () => deleteOldEntries(jobsDb))
  app.work.everyInstance(RENEWAL_SECONDS, 'slots of open streams', () => slots.renew())
  app.work.every(SUM_SECONDS, 'notifications.summaries', () => sumUpMails({ mail, installation }, jobsDb))
  app.work.every(UPKEEP_SECONDS, 'streams.cleanup', () => deleteLapsedSlots(jobsDb))
  app.dueTimes.bound({
    table: 'stream_slots',
    column: 'lease_until',
    longest: LEASE_SECONDS,
  })
  app.dueTimes.bound({ table: 'notification_mails', column: 'resets_at', longest: 3_600 })
  app.addHook('onClose', () => slots.released())
  // Lists are cleared when the service stops, but kept after a crash, since nobody has seen what was new.
  if (alone) app.addHook('onClose', () => clearAll(db))
  // Slots left by a crash belong to nobody.
  if (alone) app.addHook('onReady', () => clearSlots(db))

  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(routes, { prefix: audience.base, audience })
    // Long-lived tokens don't belong in addresses, which end up in logs.
    const inQuery = audience === SIGNED_IN
    await app.register(streamRoutes, { prefix: audience.base, audience, context, inQuery })
  }
}

export default fp(notifications, {
  name: 'notifications',
  encapsulate: true,
  dependencies: ['db', 'events', 'mail', 'sse', 'outbox', 'work', 'installation', 'tokens', 'access'],
})
