import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/audience.ts'
import { LEASE_SECONDS } from '../../plugins/leases.ts'
import { levelOf } from '../../plugins/logging.ts'
import type { RecordContext } from './apply.ts'
import { syncDueDomains } from './automatic-sync.ts'
import type { LookTimes } from './look-times.ts'
import { defineOperations } from './operations.ts'
import { movingRoutes } from './moving/routes.ts'
import { recordRoutes } from './routes.records.ts'
import { routes } from './routes.ts'
import { zoneRoutes } from './routes.zones.ts'
import { HistoryEntry, PlanAnswer } from './schemas.changes.ts'
import { RecordAnswer } from './schemas.ts'
import { Sequence } from './sequence.ts'
import { createSettler } from './settler.ts'
import { endLeases, noteLostAnswers, renewChanges } from './settling-queries.ts'
import { createZoneRoom } from './zone-room.ts'

/** DNS records: reading, changing, syncing, history. */
const records: FastifyPluginAsync<{ alone: boolean; looks: LookTimes }> = async (app, { alone, looks }) => {
  const openChanges = app.leases.renewing('changes', (ids) => renewChanges(app.jobsDb, ids, LEASE_SECONDS))
  const context: RecordContext = {
    db: app.db,
    events: app.events,
    http: app.http,
    tcp: app.tcp,
    secrets: app.secrets,
    metrics: app.metrics,
    breakers: app.breakers,
    turns: app.turns,
    providerAccounts: app.providerAccounts,
    providerLimits: app.providerLimits,
    log: app.log,
    providerRegistry: app.providerRegistry,
    sequence: new Sequence(),
    looks,
    leases: app.leases,
    operations: app.operations,
    // Two of the largest at a time, or as many as are as large together.
    zoneRoom: createZoneRoom(2 * app.providerLimits.maxZoneRecords),
    openChanges,
  }
  const ofJobs: RecordContext = { ...context, db: app.jobsDb }
  for (const schema of [RecordAnswer, PlanAnswer, HistoryEntry]) app.addSchema(schema)
  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(recordRoutes, { prefix: `${audience.base}/domains`, context, audience })
  }
  await app.register(routes, { prefix: SIGNED_IN.base, context })
  await app.register(zoneRoutes, { prefix: SIGNED_IN.base, context })
  await app.register(movingRoutes, { prefix: SIGNED_IN.base, context })

  defineOperations(app.operations, ofJobs)
  const settler = createSettler(ofJobs, (error, subject) =>
    app.log.warn({ err: error, ...subject }, 'a change could not be settled yet'),
  )
  app.timers.every(looks.sweep, 'settling', () => settler.begin())
  app.addHook('onClose', () => settler.end())
  app.jobs.define(
    'records.sync',
    () =>
      syncDueDomains(ofJobs, (error, domain) =>
        app.log.error({ err: error, domainId: domain.id }, 'automatic sync failed'),
      ),
    { schedule: '* * * * *' },
  )
  // Alone, whatever is pending was left by a process that is gone: nobody else is at work on it.
  if (alone) app.addHook('onReady', () => endLeases(app.jobsDb))
  app.addHook('preClose', async () => {
    await noteLostAnswers(app.jobsDb, openChanges.ids()).catch((error: unknown) =>
      app.log[levelOf(error)]({ err: error }, 'changes under way at the stop'),
    )
  })
}

export default fp(records, {
  name: 'records',
  encapsulate: true,
  dependencies: [
    'db',
    'events',
    'http',
    'tcp',
    'secrets',
    'jobs',
    'timers',
    'leases',
    'access',
    'provider-limits',
    'provider-breakers',
    'provider-turns',
    'domains',
    'operations-worker',
  ],
})
