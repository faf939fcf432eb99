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
import { requireApplied } from '../apply/apply.ts'
import type { RecordContext } from '../context.ts'
import { lockDomain } from '../apply/journal/journal-queries.ts'
import { currentPosition, type ChangePosition } from '../list/queries.ts'
import { announceDifferences } from './drift/announce.ts'
import { enforce, putBack, sameDrift, type FoundOutside } from './drift/enforce.ts'
import { countsOf, outsideOf, recordsIn, sizeOf } from './drift/outside.ts'
import { clearDrift, driftOf, storeDrift } from './drift/queries.ts'
import { correctByLateWrites } from '../reconcile/late-writes.ts'
import { isMuch } from './guard.ts'
import { compare, nothingToCompare, type Differences } from './sync-differences.ts'
import { readProvider, readZoneSoa, type ProviderRecords } from './sync-provider.ts'
import { MuchIsGone, toReport, type SyncReport } from './sync-report.ts'
import { endSync, isServedFrom } from './sync-queries.ts'
import { storeDifferences } from './sync-store.ts'
import { storeUnmanaged } from './unmanaged-queries.ts'
import { READ_BUDGETS, withZoneMemory } from './zone-memory.ts'

/**
 * Brings the records here in line with the provider. `dryRun` only returns the differences. Rejects when the provider fails
 * or its answer is incomplete, and when it suddenly holds far fewer records, unless `force` is set. `budgets`: how many
 * times the provider budget of a request the reading may take. `putBack`: brings the provider in line with the records here
 * instead, by a change whose id is returned.
 */
export async function syncDomain(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { dryRun, force, putBack: isPutBack = false, budgets = READ_BUDGETS.request }: SyncOptions,
): Promise<{ report: SyncReport; changeId: string | null }> {
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
    const { report, found } = await runSync(context, caller, domain, {
      dryRun,
      force,
      hold,
      waitMs,
      budgets,
      announceDrift: false,
      policy: isPutBack ? 'putBack' : 'adopt',
    })
    if (!found || dryRun) return { report, changeId: null }
    const { changeId } = requireApplied(await putBack(context, caller, domain, found))
    return { report, changeId }
  } finally {
    await context.leases.end('sync', domainId)
  }
}

interface SyncOptions {
  dryRun: boolean
  force: boolean
  putBack?: boolean
  budgets?: number
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
  /** What to do with changes made at the provider; undefined: what the domain says. */
  policy?: 'adopt' | 'putBack'
}

/** `found`: changes made at the provider that were left there. */
interface SyncResult {
  report: SyncReport
  found: FoundOutside | null
}

/**
 * Syncs a domain in the background: as the service, which has all permissions, or for the user who has just registered it.
 * The caller holds the lease.
 */
export async function syncInBackground(
  context: RecordContext,
  domain: DomainRow,
  actor: Actor = { ...SYSTEM, origin: 'sync' },
): Promise<void> {
  const { found } = await runSync(context, actor, domain, {
    dryRun: false,
    force: false,
    hold: (trx) => lockDomain(trx, domain.id),
    budgets: READ_BUDGETS.background,
    announceDrift: domain.last_synced_at !== null,
  })
  if (found) await enforce(context, domain, found)
}

/** Runs a sync and counts its result. */
async function runSync(
  context: RecordContext,
  actor: Actor,
  domain: DomainRow,
  run: SyncRun,
): Promise<SyncResult> {
  const count = (result: string) => run.dryRun || context.metrics.syncs.inc({ result })
  try {
    const result = await context.stopping.during(readAndStore(context, actor, domain, run))
    count('ok')
    return result
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
): Promise<SyncResult> {
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

  async function attempt(limits: ProviderLimits): Promise<SyncResult> {
    const connection = await connectionOf(context, domain, { limits })
    const since = await currentPosition(db)
    const there = await readProvider(connection, zoneOf(domain))
    const soa = run.dryRun ? null : (there.soa ?? (await readZoneSoa(connection, zoneOf(domain))))
    return db.transaction().execute(async (trx) => {
      const work = { ...run, domain, connection, there, since }
      const result = await compareAndStore(context, trx, actor, work)
      if (!run.dryRun) {
        await endSync(trx, domain.id, null)
        await storeSoa(trx, domain.id, soa)
      }
      return result
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

async function compareAndStore(
  context: RecordContext,
  trx: Kysely<Database>,
  actor: Actor,
  work: SyncWork,
): Promise<SyncResult> {
  const { domain, connection, there, since, dryRun, force, hold } = work
  // Locked so that no change of the domain is opened or closed between comparing and writing.
  await hold(trx)
  // Possible if this instance stalled until its lease expired.
  if (!(await isServedFrom(trx, domain)))
    throw conflict(`${domain.name} was switched to another provider in the meantime`, {
      reason: 'switched_meanwhile',
    })
  const { capabilities } = connection.provider
  const local = capabilities.truth === 'local'
  const differences = local ? await nothingToCompare(trx, domain.id) : await compare(trx, work)
  const report = toReport(differences, there, dryRun)
  if (local) report.synced = report.unchanged
  if (dryRun) return { report, found: null }

  const known = differences.unchanged + differences.updated.length + differences.deleted.length
  const policy = await policyOf(trx, work)
  const isAdopted = policy === 'adopt'
  const changes = isAdopted ? differences.deleted.length : policy === 'putBack' ? recordsIn(differences) : 0
  if (!force && isMuch(changes, known)) {
    const what = isAdopted
      ? `delete ${changes} of ${known} records of ${domain.name}, which are no longer at the provider`
      : `put back ${changes} changes of the ${known} records of ${domain.name}`
    throw new MuchIsGone(
      `This would ${what}; repeat with "force=true" to confirm`,
      report,
      differences,
      known,
    )
  }
  if (!local) await storeUnmanaged(trx, domain.id, there.unmanaged)
  const found = await correctByLateWrites(trx, domain, differences)
  if (isAdopted) {
    await clearDrift(trx, domain.id)
    if (work.announceDrift && sizeOf(found) > 0) context.metrics.drift.inc({ result: 'adopted' })
    await store(trx, actor, work, found)
    return { report, found: null }
  }
  const { outside, rest } = outsideOf(found, capabilities)
  await store(trx, actor, { ...work, announceDrift: false }, rest)
  if (sizeOf(outside) === 0) {
    await clearDrift(trx, domain.id)
    return { report, found: null }
  }
  if (policy === 'alert') {
    await keepAlert(context, trx, domain, outside)
    return { report, found: null }
  }
  const counts = countsOf(outside)
  if ((await driftOf(trx, domain.id))?.drift == null)
    await storeDrift(trx, domain.id, { ...counts, reason: 'enforcing' })
  return { report, found: { outside, since, known } }
}

/** What to do with changes made at the provider. The first import takes everything over. */
async function policyOf(trx: Executor, { domain, policy }: SyncWork) {
  if (policy !== undefined) return policy
  const now = await driftOf(trx, domain.id)
  return now?.last_synced_at ? now.drift_policy : 'adopt'
}

/** Stores and announces differences that nobody but a person resolves, once. */
async function keepAlert(
  context: RecordContext,
  trx: Executor,
  domain: DomainRow,
  outside: Differences,
): Promise<void> {
  const now = { ...countsOf(outside), reason: 'alert' } as const
  const before = (await driftOf(trx, domain.id))?.drift ?? null
  await storeDrift(trx, domain.id, now)
  if (before !== null && sameDrift(before, now)) return
  context.metrics.drift.inc({ result: 'alert' })
  await announceDifferences(trx, domain, outside, { applied: false, reason: 'alert' })
}

async function store(
  trx: Executor,
  actor: Actor,
  { domain, announceDrift }: Pick<SyncWork, 'domain' | 'announceDrift'>,
  differences: Differences,
): Promise<void> {
  if (sizeOf(differences) === 0) return
  const changedOutside = domain.last_synced_at !== null
  const change = { domainId: domain.id, actor, source: 'sync', changedOutside } as const
  const changeId = await storeDifferences(trx, change, differences)
  await recordAudit(trx, actor, {
    action: 'domain.synced',
    target: { type: 'domain', id: domain.id, name: domain.name },
    after: { changeId, ...countsOf(differences) },
  })
  if (announceDrift) await announceDifferences(trx, domain, differences, { applied: true })
}
