import type { FastifyInstance } from 'fastify'
import type { Held, Leases } from '../../plugins/work/leases.ts'
import type { DomainContext } from '../domains/service.ts'
import type { Operations } from '../operations/contract.ts'
import type { WaitingChanges } from './apply/waiting-changes.ts'
import type { ReconcileTimes } from './reconcile/times.ts'
import type { ZoneMemory } from './sync/zone-memory.ts'

declare module 'fastify' {
  interface FastifyInstance {
    waitingChanges: WaitingChanges
    reconcileTimes: ReconcileTimes
    zoneMemory: ZoneMemory
    /** Changes this instance is working on; no other instance reconciles them. */
    openChanges: Held
  }
}

/** What changing records needs of the app. Routes pass `app` itself. */
export interface RecordContext
  extends
    DomainContext,
    Pick<FastifyInstance, 'waitingChanges' | 'reconcileTimes' | 'zoneMemory' | 'openChanges'> {
  leases: Leases
  operations: Operations
}

/**
 * The app as background work uses it: with the database connections of jobs, and with `budgets` times the time a request
 * may spend at a provider.
 */
export function backgroundContext(app: FastifyInstance, budgets = 1): RecordContext {
  return {
    db: app.jobsDb,
    providerLimits: { ...app.providerLimits, budgetMs: app.providerLimits.budgetMs * budgets },
    circuitBreakers: app.circuitBreakers,
    events: app.events,
    http: app.http,
    installation: app.installation,
    leases: app.leases,
    listedZones: app.listedZones,
    log: app.log,
    metrics: app.metrics,
    openChanges: app.openChanges,
    operations: app.operations,
    providerAccounts: app.providerAccounts,
    providerRegistry: app.providerRegistry,
    publicDns: app.publicDns,
    reconcileTimes: app.reconcileTimes,
    secrets: app.secrets,
    stopping: app.stopping,
    tcp: app.tcp,
    waitingChanges: app.waitingChanges,
    writeLock: app.writeLock,
    zoneMemory: app.zoneMemory,
  }
}
