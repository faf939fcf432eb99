import type { MirrorFinding } from '../../../../db/tables/index.ts'
import type { RecordContext } from '../../context.ts'
import { sendSteps } from '../../apply/provider/provider-edits.ts'
import { toState } from '../../list/mapper.ts'
import { isOfProvider } from '../../move/adapted.ts'
import { planCopy, type CopyMode } from '../../move/copy-plan.ts'
import { apexNameServers } from '../../move/switch.ts'
import type { Plan } from '../../plan/plan.ts'
import { readProvider, type ProviderRecords } from '../../sync/sync-provider.ts'
import { listUnmanaged } from '../../sync/unmanaged-queries.ts'
import { withZoneMemory } from '../../sync/zone-memory.ts'
import { findingsOf, refusedSteps } from './findings.ts'
import { requireDecided } from '../one-change.ts'
import { WHOLE, type OpenMirror } from '../open.ts'
import { lastQueued, settledRecords } from '../queue-queries.ts'

/** How a mirror differs from its domain, and what would make it the same. */
export interface Comparison {
  plan: Plan
  findings: MirrorFinding[]
  /** The last queued change that the comparison contains; null: none was queued. */
  upTo: string | null
  /** At the apex of the zone there. */
  nameServers: string[]
  /** Records there, without those that each provider has of its own. */
  known: number
}

interface Patience {
  budgets: number
  waitMs?: number
}

/** Reads the zone of a mirror and plans how to make it hold the records of the domain. The caller has the lease of the mirror. */
export const compareZone = (
  context: RecordContext,
  open: OpenMirror,
  mode: CopyMode,
  patience: Patience,
): Promise<Comparison> =>
  withZoneMemory(context, open.domain, patience, async (limits) => {
    const there = await readProvider(open.connect(limits), open.zone)
    return planZone(context, open, there, mode)
  })

async function planZone(
  { db }: RecordContext,
  { mirror, domain, host }: OpenMirror,
  there: ProviderRecords,
  mode: CopyMode,
): Promise<Comparison> {
  const { disabledRecords } = host.provider.capabilities
  // One moment for both, so that no change is dropped from the queue that the records lack.
  const here = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => ({
      upTo: await lastQueued(trx, mirror.id),
      rows: await settledRecords(trx, domain.id),
      unmanaged: await listUnmanaged(trx, domain.id, WHOLE),
    }))
  const records = here.rows.map(toState).filter(({ enabled }) => enabled || disabledRecords)
  const holdings = { name: domain.name, scope: WHOLE, records, unmanaged: here.unmanaged, isRead: true }
  const plan = await planCopy(holdings, host, there, mode)
  const contents = [...there.records.values()].map(({ content }) => content)
  return {
    plan,
    findings: findingsOf(records, host, plan),
    upTo: here.upTo,
    nameServers: apexNameServers(contents),
    known: contents.filter((content) => !isOfProvider(content)).length,
  }
}

/**
 * Applies a comparison. Returns the findings, with what the provider refused; rejects with ProviderError if it fails
 * otherwise.
 */
export async function sendComparison(
  open: OpenMirror,
  { plan, findings }: Comparison,
): Promise<MirrorFinding[]> {
  if (plan.steps.length === 0) return findings
  const { outcomes, failure } = await sendSteps(open.connect(), open.zone, plan.steps, { separate: true })
  requireDecided(outcomes, failure)
  return [...findings, ...refusedSteps(plan.steps, outcomes)]
}
