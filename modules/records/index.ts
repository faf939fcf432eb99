import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { levelOf } from '../../plugins/http/logging.ts'
import { LEASE_SECONDS } from '../../plugins/work/leases.ts'
import { changeRoutes } from './apply/routes.ts'
import { PlanAnswer, RecordAnswer } from './apply/schemas.ts'
import { WaitingChanges } from './apply/waiting-changes.ts'
import { forgetOldPlans } from './bulk/plan-queries.ts'
import { replaceRoutes } from './bulk/replace/routes.ts'
import { DomainsPlanAnswer } from './bulk/schemas.ts'
import { backgroundContext } from './context.ts'
import { historyArchive } from './history/archive.ts'
import { historyRoutes } from './history/routes.ts'
import { HistoryEntry } from './history/schemas.ts'
import { operationRevertRoutes } from './history/operation-revert/routes.ts'
import { keptPlanRoutes } from './kept-plans/routes.ts'
import { forgetOldPlans as forgetKeptPlans } from './kept-plans/queries.ts'
import { listRoutes } from './list/routes.ts'
import { mirrorInBackground } from './mirrors/index.ts'
import { mirrorRoutes } from './mirrors/routes.ts'
import { Mirror } from './mirrors/schemas.ts'
import { moveRoutes } from './move/routes.ts'
import { defineOperations } from './operations.ts'
import { endLeases, releaseChanges, renewChanges } from './reconcile/reconcile-queries.ts'
import { reconcileQueue } from './reconcile/reconciler.ts'
import { RECONCILE_TIMES, type ReconcileTimes } from './reconcile/times.ts'
import { laterRoutes } from './scheduled/routes.ts'
import { changeLater } from './scheduled/waiting.ts'
import { syncDueDomains } from './sync/automatic-sync.ts'
import { rrsetRoutes } from './rrsets/routes.ts'
import { RRset, WrittenRRset } from './rrsets/schemas.ts'
import { createFirstReadings } from './sync/first-reading.ts'
import { syncRoutes } from './sync/routes.ts'
import { SYNCS_DUE } from './sync/sync-queries.ts'
import { createZoneMemory } from './sync/zone-memory.ts'
import { verifyInBackground } from './verification/index.ts'
import { verificationRoutes } from './verification/routes.ts'
import { Verification } from './verification/schemas.ts'
import { importRoutes } from './zone-files/import-routes.ts'
import { zoneFileRoutes } from './zone-files/routes.ts'

/** How long a stop waits for first readings; another instance repeats them. */
const CLOSING_MS = 4_000
const SYNC_SECONDS = 60
const FORGET_SECONDS = 3_600
const FORGET_KEPT_SECONDS = 600

interface Options {
  /** No other instance works on this database. */
  alone: boolean
  reconcileTimes?: Partial<ReconcileTimes>
}

/** Background work on records, and their routes. */
const records: FastifyPluginAsync<Options> = async (app, { alone }) => {
  const background = backgroundContext(app)
  defineOperations(app)
  const readings = createFirstReadings(background, app.log)
  app.newDomains.read = (caller, domainId) => readings.read(caller, domainId)
  app.addHook('onClose', () => readings.idle(CLOSING_MS))
  const reconciling = app.work.queue(
    reconcileQueue(background, (error, subject) =>
      app.log[levelOf(error, 'warn')]({ err: error, ...subject }, 'change not reconciled yet'),
    ),
  )
  app.addHook('onClose', async () => {
    await Promise.all([reconciling.idle(), app.stopping.finished()])
    await releaseChanges(app.jobsDb, app.openChanges.ids()).catch((error: unknown) =>
      app.log[levelOf(error)]({ err: error }, 'pending changes not released'),
    )
  })
  verifyInBackground(app, background)
  changeLater(app, background)
  mirrorInBackground(app)
  app.retention.limit(historyArchive(app.jobsDb))
  app.dueTimes.bound(SYNCS_DUE)
  app.work.every(SYNC_SECONDS, 'records.sync', () =>
    syncDueDomains(background, (error, domain) =>
      app.log[levelOf(error)]({ err: error, domainId: domain.id }, 'automatic sync failed'),
    ),
  )
  app.work.every(FORGET_SECONDS, 'bulk-plans.cleanup', () => forgetOldPlans(app.jobsDb))
  app.work.every(FORGET_KEPT_SECONDS, 'kept-plans.cleanup', () => forgetKeptPlans(app.jobsDb))
  // Without other instances, pending changes were left by a process that is gone.
  if (alone) app.addHook('onReady', () => endLeases(app.jobsDb))

  for (const schema of [RecordAnswer, PlanAnswer, HistoryEntry, RRset, WrittenRRset, Verification, Mirror])
    app.addSchema(schema)
  for (const audience of [SIGNED_IN, OPEN_API]) {
    const options = { prefix: audience.base, audience }
    await app.register(listRoutes, options)
    await app.register(changeRoutes, options)
    await app.register(keptPlanRoutes, options)
    await app.register(rrsetRoutes, options)
    await app.register(syncRoutes, options)
    await app.register(importRoutes, options)
    await app.register(historyRoutes, options)
    await app.register(laterRoutes, options)
    await app.register(verificationRoutes, options)
    await app.register(moveRoutes, options)
    await app.register(mirrorRoutes, options)
    await app.register(replaceRoutes, { ...options, prefix: `${audience.base}/records` })
    await app.register(operationRevertRoutes, options)
    await app.register(zoneFileRoutes, options)
  }
}

/** DNS records: reading, changing, syncing, history. */
export default fp<Options>(
  async (app, options) => {
    const { maxZoneRecords } = app.providerLimits
    app.addSchema(DomainsPlanAnswer)
    app.decorate('waitingChanges', new WaitingChanges())
    app.decorate('reconcileTimes', { ...RECONCILE_TIMES, ...options.reconcileTimes })
    // Two of the largest zones at a time, or as many as are as large together.
    app.decorate('zoneMemory', createZoneMemory(2 * maxZoneRecords, app.stopping.begun))
    app.decorate(
      'openChanges',
      app.leases.renewing('changes', (ids) => renewChanges(app.jobsDb, ids, LEASE_SECONDS)),
    )
    await app.register(records, options)
  },
  {
    name: 'records',
    dependencies: [
      'graceful-shutdown',
      'db',
      'events',
      'http',
      'tcp',
      'public-dns',
      'dns',
      'installation',
      'secrets',
      'work',
      'retention',
      'access',
      'provider-limits',
      'circuit-breakers',
      'write-lock',
      'domains',
      'new-domains',
      'operations',
    ],
  },
)
