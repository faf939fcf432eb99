import fp from 'fastify-plugin'
import { LEASE_SECONDS } from '../../plugins/work/leases.ts'
import type { RecordContext } from './apply/apply.ts'
import type { ReconcileTimes } from './reconcile/times.ts'
import { DomainsPlanAnswer } from './bulk/schemas.ts'
import { Sequence } from './apply/waiting-changes.ts'
import { renewChanges } from './reconcile/reconcile-queries.ts'
import { createZoneMemory } from './sync/zone-memory.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What changing records needs: one for all who do, as it says what this instance is at work on. */
    recordContext: RecordContext
  }
}

/** For whoever changes records, in other modules too. */
export default fp<{ reconcileTimes: ReconcileTimes }>(
  async (app, { reconcileTimes }) => {
    app.addSchema(DomainsPlanAnswer)
    app.decorate('recordContext', {
      db: app.db,
      events: app.events,
      http: app.http,
      tcp: app.tcp,
      installation: app.installation,
      publicDns: app.publicDns,
      secrets: app.secrets,
      metrics: app.metrics,
      breakers: app.breakers,
      turns: app.turns,
      stopping: app.stopping,
      providerAccounts: app.providerAccounts,
      providerLimits: app.providerLimits,
      log: app.log,
      providerRegistry: app.providerRegistry,
      sequence: new Sequence(),
      reconcileTimes,
      leases: app.leases,
      operations: app.operations,
      // Two of the largest at a time, or as many as are as large together.
      zoneMemory: createZoneMemory(2 * app.providerLimits.maxZoneRecords, app.stopping.begun),
      openChanges: app.leases.renewing('changes', (ids) => renewChanges(app.jobsDb, ids, LEASE_SECONDS)),
    })
  },
  {
    name: 'record-context',
    dependencies: [
      'graceful-shutdown',
      'db',
      'events',
      'http',
      'tcp',
      'public-dns',
      'installation',
      'secrets',
      'work',
      'provider-limits',
      'provider-breakers',
      'provider-turns',
      'operations-worker',
    ],
  },
)
