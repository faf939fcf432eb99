import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { levelOf } from '../../plugins/http/logging.ts'
import type { RecordContext } from './apply/apply.ts'
import { syncDueDomains } from './sync/automatic-sync.ts'
import { createFirstReadings } from './sync/first-reading.ts'
import { defineOperations } from './operations.ts'
import { movingRoutes } from './move/routes.ts'
import { forgetOldPlans } from './bulk/plan-queries.ts'
import { replaceRoutes } from './bulk/replace/routes.ts'
import { recordRoutes } from './record-routes.ts'
import { routes } from './routes.ts'
import { undoRoutes } from './history/undo/routes.ts'
import { zoneFileRoutes } from './zone-files/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { zoneRoutes } from './zone-routes.ts'
import { HistoryEntry, PlanAnswer } from './change-schemas.ts'
import { RecordAnswer } from './schemas.ts'
import { RECONCILE_TIMES, type ReconcileTimes } from './reconcile/times.ts'
import recordContext from './context.ts'
import keptPlans from './kept-plans/index.ts'
import { reconcileQueue } from './reconcile/reconciler.ts'
import { endLeases, releaseChanges } from './reconcile/reconcile-queries.ts'
import { SYNCS_DUE } from './sync/sync-queries.ts'

/** When the service stops, a first reading has so long to end; another instance repeats it. */
const CLOSING_MS = 4_000
const FORGET_SECONDS = 3_600
const SYNC_SECONDS = 60

/** DNS records: reading, changing, syncing, history. */
const records: FastifyPluginAsync<{ alone: boolean }> = async (app, { alone }) => {
  const { recordContext: context } = app
  const ofJobs: RecordContext = { ...context, db: app.jobsDb }
  for (const schema of [RecordAnswer, PlanAnswer, HistoryEntry]) app.addSchema(schema)
  for (const audience of [SIGNED_IN, OPEN_API]) {
    const options = { prefix: audience.base, context, audience }
    await app.register(recordRoutes, { ...options, prefix: `${audience.base}/domains` })
    await app.register(routes, options)
    await app.register(zoneRoutes, options)
    await app.register(historyRoutes, options)
    await app.register(movingRoutes, options)
    await app.register(replaceRoutes, { ...options, prefix: `${audience.base}/records` })
    await app.register(undoRoutes, options)
    await app.register(zoneFileRoutes, options)
  }

  const readings = createFirstReadings(ofJobs, app.log)
  app.newDomains.read = (caller, domainId) => readings.read(caller, domainId)
  app.addHook('onClose', () => readings.idle(CLOSING_MS))

  defineOperations(app.operations, ofJobs)
  const reconciling = app.work.queue(
    reconcileQueue(ofJobs, (error, subject) =>
      app.log.warn({ err: error, ...subject }, 'change not reconciled yet'),
    ),
  )
  app.dueTimes.bound(SYNCS_DUE)
  app.work.every(FORGET_SECONDS, 'bulk-plans.cleanup', () => forgetOldPlans(app.jobsDb))
  app.addHook('onClose', async () => {
    await Promise.all([reconciling.idle(), app.stopping.finished()])
    await releaseChanges(app.jobsDb, context.openChanges.ids()).catch((error: unknown) =>
      app.log[levelOf(error)]({ err: error }, 'pending changes could not be released'),
    )
  })
  app.work.every(SYNC_SECONDS, 'records.sync', () =>
    syncDueDomains(ofJobs, (error, domain) =>
      app.log.error({ err: error, domainId: domain.id }, 'automatic sync failed'),
    ),
  )
  // Alone, whatever is pending was left by a process that is gone: nobody else is at work on it.
  if (alone) app.addHook('onReady', () => endLeases(app.jobsDb))
}

export default fp<{ alone: boolean; reconcileTimes?: Partial<ReconcileTimes> }>(
  async (app, { alone, reconcileTimes }) => {
    await app.register(keptPlans)
    await app.register(recordContext, { reconcileTimes: { ...RECONCILE_TIMES, ...reconcileTimes } })
    await app.register(records, { alone })
  },
  {
    name: 'records',
    dependencies: ['db', 'work', 'access', 'domains', 'operations-worker', 'new-domains'],
  },
)
