import type { FastifyInstance } from 'fastify'
import { levelOf } from '../../../plugins/http/logging.ts'
import { backgroundContext } from '../context.ts'
import { openMirror } from './open.ts'
import { findLongBehind, findMirrorById, lockMirror } from './queries.ts'
import { compareDaily } from './zones/comparing.ts'
import { mirrorQueue } from './mirrorer.ts'
import { announceState, LONG_BEHIND_SECONDS } from './state.ts'
import type { RecordContext } from '../context.ts'

/** How many times the time of a request a change may take at the provider of a mirror. */
const BUDGETS = 5
const WATCH_SECONDS = 60
const COMPARE_SECONDS = 3_600
const AT_ONCE = 200

/** Begins to bring changes to mirrors in the background, and to watch them. */
export function mirrorInBackground(app: FastifyInstance): void {
  const context = backgroundContext(app, BUDGETS)
  app.work.queue(mirrorQueue(context))
  app.work.every(WATCH_SECONDS, 'mirrors.watch', () => announceLongBehind(context))
  app.work.every(COMPARE_SECONDS, 'mirrors.compare', () =>
    compareDaily(context, (error, mirrorId) =>
      app.log[levelOf(error)]({ err: error, mirrorId }, 'mirror not compared'),
    ),
  )
}

async function announceLongBehind(context: RecordContext): Promise<void> {
  for (const mirrorId of await findLongBehind(context.db, LONG_BEHIND_SECONDS, AT_ONCE)) {
    await context.db.transaction().execute(async (trx) => {
      if (!(await lockMirror(trx, mirrorId))) return
      const mirror = await findMirrorById(trx, mirrorId)
      const open = mirror && (await openMirror(context, mirror, trx))
      if (!open) return
      const { domain, host } = open
      await announceState(trx, mirrorId, { domain, provider: host.provider.name, isLong: true })
    })
  }
}
