import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import { ANNOUNCED } from '../../schemas/event-catalogue.ts'
import { announce, passOn } from './announce.ts'
import type { NotificationContext } from './context.ts'
import { userExists } from './queries.ts'
import { routes } from './routes.ts'
import { memoryStore } from './store/memory.ts'
import { redisStore } from './store/redis.ts'
import { endForbiddenStreams, frameOf } from './streams.ts'

/** Who may listen is looked at again that often, for what no event tells: a session that expired. */
const CHECK_SECONDS = 60

/** Messages to people inside the service: the list of them and the event stream. */
const notifications: FastifyPluginAsync = async (app) => {
  const { db, events, mail, site, sse } = app
  const store = app.redis === null ? memoryStore() : redisStore(app.redis)
  const context: NotificationContext = { db, events, mail, site, sse, store }
  const inTurn = oneAfterAnother()

  for (const name of ANNOUNCED) {
    events.on(name, (payload, meta) => {
      if (meta.own) return inTurn(() => announce(context, name, payload, meta))
    })
  }
  events.on('notification.wanted', (payload, meta) => {
    if (meta.own) return inTurn(() => passOn(context, payload, meta))
  })
  events.on('notification.added', ({ userIds, id, message }) => sse.send(userIds, frameOf(id, message)))

  events.on('user.changed', async ({ userId }, meta) => {
    await endForbiddenStreams(context, userId)
    if (meta.own && !(await userExists(db, userId))) await store.clear(userId)
  })
  events.on('events.missed', () => endForbiddenStreams(context))
  app.every(CHECK_SECONDS, 'streams of ended sessions', () => endForbiddenStreams(context))

  await app.register(routes, { context })
}

/**
 * Events are told in the order in which they happened; one that can't be told keeps none from it. They wait
 * for a turn of the event loop: the answer to who did it goes first.
 */
function oneAfterAnother() {
  let last: Promise<unknown> = Promise.resolve()
  return (work: () => Promise<void>): Promise<void> => {
    const run = last.then(() => sleep(0)).then(work)
    // Whoever asked for it gets the failure.
    last = run.catch(() => {})
    return run
  }
}

export default notifications
