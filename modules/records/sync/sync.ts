import type { Kysely } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Database } from '../../../db/tables/index.ts'
import { SYSTEM, type Actor, type Caller } from '../../../plugins/security/access/index.ts'
import { AppError, conflict } from '../../../plugins/http/errors.ts'
import type { ExternalFailure } from '../../../schemas/codes/failure-codes.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { recordAudit } from '../../audit/service.ts'
import { requireDomain, type DomainRow } from '../../domains/access/access.ts'
import { connectionOf, storeSoa, zoneOf } from '../../domains/service.ts'
import type { ProviderConnection } from '../../providers/traffic/connection.ts'
import type { ProviderLimits } from '../../providers/traffic/limits.ts'
import { ProviderError } from '../../providers/contract.ts'
import { isUncalled, providerFailure, toldOf } from '../../providers/errors.ts'
import type { RecordContext } from '../context.ts'
import { lockDomain } from '../apply/journal/journal-queries.ts'
import { currentPosition, type ChangePosition } from '../list/queries.ts'
import { announceDifferences } from './drift.ts'
import { correctByLateWrites } from '../reconcile/late-writes.ts'
import { compare, nothingToCompare, type Differences } from './sync-differences.ts'
import { readProvider, readZoneSoa, type ProviderRecords } from './sync-provider.ts'
import { MuchIsGone, toReport, type SyncReport } from './sync-report.ts'
import { endSync, isServedFrom } from './sync-queries.ts'
import { storeDifferences } from './sync-store.ts'
import { storeUnmanaged } from './unmanaged-queries.ts'
import { READ_BUDGETS, withZoneMemory } from './zone-memory.ts'

/** A sync that would delete more than this part of a domain of this size or more must be confirmed. */
const GUARD = { records: 10, part: 0.3 }

/**
 * Brings the records here in line with the provider. `dryRun` only returns the differences. Rejects when the provider fails
 * or its answer is incomplete, and when it suddenly holds far fewer records, unless `force` is set. `budgets`: how many
 * times the provider budget of a request the reading may take.
 */
export async function syncDomain(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { dryRun, force, budgets = READ_BUDGETS.request }: { dryRun: boolean; force: boolean; budgets?: number },
): Promise<SyncReport> {
  const need = dryRun ? 'readAll' : 'writeAll'
  const domain = await requireDomain(context.db, caller, domainId, need)
  // A caller who loses the permission while the provider is read stores nothing.
  const hold = (trx: Executor) => requireDomain(trx, caller, domainId, need, { lock: true })
  if (!(await context.leases.take('sync', domainId))) {
    throw conflict(`A sync of ${domain.name} is already in progress; try again later`, {
      reason: 'sync_under_way',
    })
  }
  try {
    const waitMs = context.providerLimits.budgetMs / 2
    return await runSync(context, caller, domain, {
      dryRun,
      force,
      hold,
      waitMs,
      budgets,
      announceDrift: false,
    })
  } finally {
    await context.leases.end('sync', domainId)
  }
}

interface SyncRun {
  dryRun: boolean
  force: boolean
  /** Locks the domain's row until the end of the transaction, or rejects. */
  hold: (trx: Executor) => Promise<unknown>
  /** How many times the provider budget of a request the reading may take. */
  budgets: number
  /** Milliseconds to wait for zone memory; unlimited by default. */
  waitMs?: number
  /** Announces differences, because no user requested this sync. Nothing is drift in a first import. */
  announceDrift: boolean
}

/**
 * Syncs a domain in the background: as the service, which has all permissions, or for the user who has just registered it.
 * The caller holds the lease.
 */
export const syncInBackground = (
  context: RecordContext,
  domain: DomainRow,
  actor: Actor = { ...SYSTEM, origin: 'sync' },
): Promise<SyncReport> =>
  runSync(context, actor, domain, {
    dryRun: false,
    force: false,
    hold: (trx) => lockDomain(trx, domain.id),
    budgets: READ_BUDGETS.background,
    announceDrift: domain.last_synced_at !== null,
  })

/** Runs a sync and counts its result. */
async function runSync(
  context: RecordContext,
  actor: Actor,
  domain: DomainRow,
  run: SyncRun,
): Promise<SyncReport> {
  const count = (result: string) => run.dryRun || context.metrics.syncs.inc({ result })
  try {
    const report = await context.stopping.during(readAndStore(context, actor, domain, run))
    count('ok')
    return report
  } catch (error) {
    count(error instanceof AppError ? error.code : 'internal')
    throw error
  }
}

async function readAndStore(
  context: RecordContext,
  actor: Actor,
  domain: DomainRow,
  run: SyncRun,
): Promise<SyncReport> {
  const { db } = context
  try {
    return await withZoneMemory(context, domain, run, attempt)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    // If the provider was not called, it did not fail.
    if (!run.dryRun && !isUncalled(error)) {
      await endFailedSync(db, actor, domain, toldOf(error))
    }
    throw providerFailure(error)
  }

  async function attempt(limits: ProviderLimits): Promise<SyncReport> {
    const connection = await connectionOf(context, domain, { limits })
    const since = await currentPosition(db)
    const there = await readProvider(connection, zoneOf(domain))
    const soa = run.dryRun ? null : await readZoneSoa(connection, zoneOf(domain))
    return db.transaction().execute(async (trx) => {
      const report = await compareAndStore(trx, actor, { ...run, domain, connection, there, since })
      if (!run.dryRun) {
        await endSync(trx, domain.id, null)
        await storeSoa(trx, domain.id, soa)
      }
      return report
    })
  }
}

/** Stores the failure, and announces it once: automatic syncs would repeat it. */
async function endFailedSync(
  db: Kysely<Database>,
  actor: Actor,
  domain: DomainRow,
  failure: ExternalFailure,
) {
  await db.transaction().execute(async (trx) => {
    await endSync(trx, domain.id, failure)
    if (domain.last_sync_error === failure.message) return
    const { message, code, params = null } = failure
    const told = { error: message, errorCode: code, errorParams: params }
    const metadata = { domainId: domain.id, domainName: domain.name, ...told }
    await announce(trx, 'domain.sync_failed', { metadata, actorId: actor.userId })
  })
}

interface SyncWork extends SyncRun {
  domain: DomainRow
  connection: ProviderConnection
  there: ProviderRecords
  since: ChangePosition
}

async function compareAndStore(trx: Kysely<Database>, actor: Actor, work: SyncWork): Promise<SyncReport> {
  const { domain, connection, there, dryRun, force, hold } = work
  // Locked so that no change of the domain is opened or closed between comparing and writing.
  await hold(trx)
  // Possible if this instance stalled until its lease expired.
  if (!(await isServedFrom(trx, domain)))
    throw conflict(`${domain.name} was switched to another provider in the meantime`, {
      reason: 'switched_meanwhile',
    })
  const local = connection.provider.capabilities.truth === 'local'
  const differences = local ? await nothingToCompare(trx, domain.id) : await compare(trx, work)
  const report = toReport(differences, there, dryRun)
  if (local) report.synced = report.unchanged
  if (dryRun) return report

  const known = differences.unchanged + differences.updated.length + differences.deleted.length
  if (!force && known >= GUARD.records && differences.deleted.length > known * GUARD.part) {
    throw new MuchIsGone(
      `This would delete ${differences.deleted.length} of ${known} records of ${domain.name}, which are no longer at the provider; repeat with "force=true" to confirm`,
      report,
      differences,
      known,
    )
  }
  await store(trx, actor, work, differences)
  if (!local) await storeUnmanaged(trx, domain.id, there.unmanaged)
  return report
}

async function store(
  trx: Executor,
  actor: Actor,
  { domain, announceDrift }: SyncWork,
  found: Differences,
): Promise<void> {
  const differences = await correctByLateWrites(trx, domain, found)
  const { created, updated, deleted } = differences
  if (created.length + updated.length + deleted.length === 0) return
  const changeId = await storeDifferences(trx, { domainId: domain.id, actor, source: 'sync' }, differences)
  await recordAudit(trx, actor, {
    action: 'domain.synced',
    target: { type: 'domain', id: domain.id, name: domain.name },
    after: { changeId, created: created.length, updated: updated.length, deleted: deleted.length },
  })
  if (announceDrift) await announceDifferences(trx, domain, differences, { applied: true })
}
