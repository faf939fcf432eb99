import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, conflict, notFound } from '../../../../plugins/http/errors.ts'
import { keepingResult } from '../../../../plugins/http/idempotency/key.ts'
import type { Caller } from '../../../../plugins/security/access/index.ts'
import { recordAudit } from '../../../audit/service.ts'
import { requireDomain } from '../../../domains/access/access.ts'
import { ProviderError } from '../../../providers/contract.ts'
import { throwProviderFailure } from '../../../providers/errors.ts'
import type { RecordContext } from '../../context.ts'
import { toPlan } from '../../plan/plan-mapper.ts'
import { isMuch } from '../../sync/guard.ts'
import { READ_BUDGETS } from '../../sync/zone-memory.ts'
import { findingColumns } from './findings.ts'
import { storeWhole } from '../mirrorer.ts'
import { openMirror, type OpenMirror } from '../open.ts'
import {
  findMirror,
  findMirrorById,
  findUncompared,
  lockMirror,
  noteSuccess,
  updateMirror,
} from '../queries.ts'
import { endChangesUpTo, lastQueued, queueZone } from '../queue-queries.ts'
import { announceState } from '../state.ts'
import { toMirror } from '../view.ts'
import { compareZone, sendComparison, type Comparison } from './whole-zone.ts'

const MAX_WAIT_MS = 5_000
const RETRY_MS = 200
const DAY_SECONDS = 86_400
/** Zones compared in one go. */
const AT_ONCE = 50

/** Plans what would make the zone of a mirror the same as the domain, and stores how much that is. */
export async function compareMirror(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  mirrorId: string,
) {
  await requireDomain(context.db, caller, domainId, 'readAll')
  return withMirror(context, domainId, mirrorId, async (open) => {
    const comparison = await compareZone(context, open, 'replace', patience(context))
    await storeComparison(context, open, comparison)
    return toAnswer(context, open, comparison, { applied: false })
  })
}

/** Makes the zone of a mirror the same as the domain, whatever waits in its queue. */
export async function syncMirror(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  mirrorId: string,
  { force }: { force: boolean },
) {
  await requireDomain(context.db, caller, domainId, 'writeAll')
  return withMirror(context, domainId, mirrorId, async (open) => {
    const comparison = await compareZone(context, open, 'replace', patience(context))
    const { steps } = comparison.plan
    const deletes = steps.filter(({ action }) => action === 'delete').length
    if (!force) requireFew(open, comparison, deletes)
    const queued = steps.length > context.operations.largeChange
    const audit = {
      action: 'domain.mirror_synced' as const,
      target: { type: 'domain', id: domainId, name: open.domain.name },
      after: { mirrorId, providerConfigId: open.config.id, ...countsOf(comparison), queued },
    }
    if (queued) {
      await keepingResult(context.db, caller, async (trx) => {
        await lockMirror(trx, mirrorId)
        await endChangesUpTo(trx, mirrorId, comparison.upTo)
        await queueZone(trx, mirrorId, Math.max(deletes, 1))
        await recordAudit(trx, caller, audit)
      })
      return toAnswer(context, open, comparison, { applied: false, queued })
    }
    if (steps.length > 0) await recordAudit(context.db, caller, audit)
    await storeWhole(context.db, open, comparison, await sendComparison(open, comparison))
    return toAnswer(context, open, comparison, { applied: steps.length > 0 })
  })
}

const patience = ({ providerLimits }: RecordContext) => ({
  budgets: READ_BUDGETS.request,
  waitMs: providerLimits.budgetMs / 2,
})

/** Compares the mirrors that were not compared for a day, one after the other. */
export async function compareDaily(
  context: RecordContext,
  report: (error: unknown, mirrorId: string) => void,
): Promise<void> {
  for (const mirrorId of await findUncompared(context.db, DAY_SECONDS, AT_ONCE)) {
    if (context.stopping.begun.aborted) return
    if (!(await context.leases.take('mirror', mirrorId))) continue
    try {
      const mirror = await findMirrorById(context.db, mirrorId)
      const open = mirror && (await openMirror(context, mirror))
      if (!open) continue
      const comparison = await compareZone(context, open, 'replace', { budgets: READ_BUDGETS.background })
      await storeComparison(context, open, comparison)
    } catch (error) {
      // Tried again with the next run; changes that come until then tell that the provider fails.
      if (!(error instanceof ProviderError)) report(error, mirrorId)
    } finally {
      await context.leases.end('mirror', mirrorId)
    }
  }
}

/** Stores how many records differ, unless changes are queued that explain it. */
const storeComparison = (
  { db }: RecordContext,
  { mirror, domain, host }: OpenMirror,
  { plan, findings, nameServers }: Comparison,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockMirror(trx, mirror.id))) return
    if (nameServers.length > 0) await updateMirror(trx, mirror.id, { name_servers: nameServers })
    if ((await lastQueued(trx, mirror.id)) !== null) return
    const set = { ...findingColumns(findings), differences: plan.steps.length }
    await noteSuccess(trx, mirror.id, set, { compared: true })
    await announceState(trx, mirror.id, { domain, provider: host.provider.name })
  })

/** Runs work while nothing else writes to the mirror. */
async function withMirror<T>(
  context: RecordContext,
  domainId: string,
  mirrorId: string,
  work: (open: OpenMirror) => Promise<T>,
): Promise<T> {
  const found = await findMirror(context.db, domainId, mirrorId)
  if (!found) throw notFound('mirror', mirrorId)
  await takeMirror(context, mirrorId)
  try {
    // As it is now that nobody else changes it.
    const mirror = await findMirror(context.db, domainId, mirrorId)
    const open = mirror && (await openMirror(context, mirror))
    if (!open) throw notFound('mirror', mirrorId)
    return await context.stopping.during(work(open)).catch(throwProviderFailure)
  } finally {
    await context.leases.end('mirror', mirrorId)
  }
}

/** Takes the lease of a mirror; rejects with 409 if another keeps it for long. */
export async function takeMirror({ leases }: RecordContext, mirrorId: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (!(await leases.take('mirror', mirrorId))) {
    if (Date.now() >= deadline)
      throw conflict('The mirror is being updated; try again later', { reason: 'mirror_busy' })
    await sleep(RETRY_MS)
  }
}

function requireFew({ host, domain }: OpenMirror, comparison: Comparison, deletes: number): void {
  const { known, plan } = comparison
  if (!isMuch(deletes, known)) return
  throw new AppError(
    409,
    'confirmation_required',
    `This would delete ${deletes} of ${known} records of ${domain.name} at ${host.provider.name}; repeat with "force=true" to confirm`,
    { extra: { plan: toPlan(plan, null), ...countsOf(comparison) } },
  )
}

function countsOf({ plan: { steps } }: Comparison) {
  const count = (wanted: string) => steps.filter(({ action }) => action === wanted).length
  return { created: count('create'), updated: count('update'), deleted: count('delete') }
}

const toAnswer = async (
  context: RecordContext,
  { mirror }: OpenMirror,
  { plan }: Comparison,
  { applied, queued = false }: { applied: boolean; queued?: boolean },
) => ({
  mirror: await toMirror(context, mirror),
  plan: { ...toPlan(plan, null), applied },
  queued,
})
