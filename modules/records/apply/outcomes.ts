import type { Transaction } from 'kysely'
import type { ChangeSource, Database } from '../../../db/tables/index.ts'
import type { Actor } from '../../../plugins/security/access/index.ts'
import { newEvent, type NewEvent } from '../../../plugins/events/outbox/event.ts'
import { announceAll } from '../../../plugins/events/outbox/announce.ts'
import type { ProviderError } from '../../providers/contract.ts'
import { recordAudit, type AuditEntry } from '../../audit/service.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import type { Plan } from '../plan/plan-outcome.ts'
import type { Step } from '../plan/change.ts'
import type { RecordRow } from '../list/mapper.ts'
import type { RecordContext } from '../context.ts'
import type { StepOutcome } from './journal/journal-queries.ts'
import {
  closeChange,
  deleteRecords,
  leavePlaces,
  releaseRecords,
  storeItemOutcomes,
  storeContents,
  type StoredOutcome,
} from './journal/outcome-queries.ts'

/** The result of applying an intent. */
export interface Applied {
  plan: Plan
  /** Null when there was nothing to do. */
  changeId: string | null
  /** By position in `plan.steps`. */
  outcomes: StepOutcome[]
  /** The records of the steps that are still there, by id. */
  records: Map<string, RecordRow>
  failure: ProviderError | null
}

/**
 * Stores what became of the steps, with its audit row and its events, in one transaction. Items that were stored
 * meanwhile stay as they are. Returns the records concerned that are still there. `isUncertain`: failed steps
 * may still happen, because the provider never answered.
 */
export async function storeOutcomes(
  { db, waitingChanges, reconcileTimes }: Pick<RecordContext, 'db' | 'waitingChanges' | 'reconcileTimes'>,
  actor: Actor,
  change: { id: string; domain: Pick<DomainRow, 'id' | 'name'>; source: ChangeSource; isUncertain?: boolean },
  steps: Pick<Step, 'action' | 'recordId' | 'before' | 'after'>[],
  outcomes: StepOutcome[],
  positions = outcomes.map((_, position) => position),
): Promise<RecordRow[]> {
  const { id, domain, source, isUncertain = false } = change
  const applied = steps.filter((_, i) => outcomes[i]?.outcome === 'applied')
  const itemOutcomes = outcomes.map((outcome, i) => ({ ...outcome, position: positions[i] ?? i }))
  const rows = await db.transaction().execute(async (trx) => {
    const stored = await storeItemOutcomes(trx, { id, domainId: domain.id }, itemOutcomes)
    const records = await storeRecords(trx, id, domain.id, stored)
    await closeChange(trx, id, {
      firstReconcileSeconds: reconcileTimes.afterLostAnswer[0] ?? 0,
      lateReconcileSeconds: isUncertain ? reconcileTimes.late : null,
    })
    if (stored.some(({ outcome }) => outcome === 'applied')) {
      await recordAudit(trx, actor, auditOf({ id, domain, source }, applied))
      await announceAll(trx, eventsOf(applied, id, domain, actor))
    }
    return records
  })
  waitingChanges.wake(domain.id)
  return rows
}

/**
 * Updates the records of applied and failed items to what the provider holds, and returns those that still
 * exist.
 */
async function storeRecords(
  trx: Transaction<Database>,
  changeId: string,
  domainId: string,
  stored: StoredOutcome[],
): Promise<RecordRow[]> {
  const decided = stored.filter(({ outcome }) => outcome !== 'pending')
  const gone = decided.filter(isGone)
  const kept = decided.filter((item) => !isGone(item))
  if (gone.length > 0) await deleteRecords(trx, domainId, gone)
  if (kept.length > 1 && kept.some(({ action }) => action !== 'create')) await leavePlaces(trx, kept)
  const applied = kept.filter(({ outcome }) => outcome === 'applied')
  const failed = kept.filter(({ outcome }) => outcome === 'failed')
  return [
    ...(applied.length > 0 ? await storeContents(trx, changeId, applied) : []),
    ...(failed.length > 0 ? await releaseRecords(trx, failed) : []),
  ]
}

/** Whether the record is no longer there: never made, or deleted. */
const isGone = ({ action, outcome }: StoredOutcome) =>
  (action === 'create' && outcome === 'failed') || (action === 'delete' && outcome === 'applied')

/** Returns the audit entry of the applied steps of a change. */
export function auditOf(
  { id, domain, source }: { id: string; domain: Pick<DomainRow, 'id' | 'name'>; source: ChangeSource },
  applied: Pick<Step, 'action'>[],
): AuditEntry {
  const count = (wanted: Step['action']) => applied.filter(({ action }) => action === wanted).length
  return {
    action: 'records.changed',
    target: { type: 'domain', id: domain.id, name: domain.name },
    after: {
      changeId: id,
      source,
      created: count('create'),
      updated: count('update'),
      deleted: count('delete'),
    },
  }
}

/** Returns the events of the applied steps of a change. */
export const eventsOf = (
  applied: Pick<Step, 'action' | 'recordId' | 'before' | 'after'>[],
  changeId: string,
  domain: Pick<DomainRow, 'id' | 'name'>,
  actor: Actor,
): NewEvent[] =>
  (['create', 'update', 'delete'] as const).flatMap((action) => {
    const same = applied.filter((step) => step.action === action)
    return toEvents(action, same, changeId, domain, actor)
  })

/** Returns one event for all steps of the same action. */
function toEvents(
  action: Step['action'],
  steps: Pick<Step, 'recordId' | 'before' | 'after'>[],
  changeId: string,
  domain: Pick<DomainRow, 'id' | 'name'>,
  actor: Actor,
): NewEvent[] {
  if (steps.length === 0) return []
  const metadata = {
    domainId: domain.id,
    domainName: domain.name,
    changeId,
    records: steps.map(toEventRecord),
  }
  return [newEvent(`record.${action}d`, { metadata, actorId: actor.userId })]
}

const toEventRecord = ({ recordId, before, after }: Pick<Step, 'recordId' | 'before' | 'after'>) => {
  const { name, type } = (after ?? before) as NonNullable<Step['after']>
  return { id: recordId, name, recordType: type }
}
