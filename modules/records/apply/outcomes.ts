import type { Kysely } from 'kysely'
import type { ChangeSource, Database } from '../../../db/tables/index.ts'
import type { Actor } from '../../../plugins/security/access/index.ts'
import { newEvent, type NewEvent } from '../../../plugins/events/outbox/event.ts'
import type { AuditEntry } from '../../audit/service.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import type { Step } from '../plan/change.ts'
import { closeChange, leavePlaces, lockDomain, type StepOutcome } from './journal/journal-queries.ts'
import type { ReconcileTimes } from '../reconcile/times.ts'
import type { RecordRow } from '../list/mapper.ts'
import type { Sequence } from './waiting-changes.ts'

interface OutcomeContext {
  db: Kysely<Database>
  sequence: Sequence
  reconcileTimes: ReconcileTimes
}

/**
 * Stores what became of the steps, with its audit row and its events. Answers the records concerned. `isGuess`:
 * what failed may still happen, since the provider never said so.
 */
export async function storeOutcomes(
  { db, sequence, reconcileTimes }: OutcomeContext,
  actor: Actor,
  change: { id: string; domain: Pick<DomainRow, 'id' | 'name'>; source: ChangeSource; isGuess?: boolean },
  steps: Pick<Step, 'action' | 'recordId' | 'before' | 'after'>[],
  outcomes: StepOutcome[],
  positions = outcomes.map((_, position) => position),
): Promise<RecordRow[]> {
  const { id, domain, source, isGuess = false } = change
  const applied = steps.filter((_, i) => outcomes[i]?.outcome === 'applied')
  const settlement = {
    id,
    domainId: domain.id,
    outcomes: outcomes.map((outcome, i) => ({ ...outcome, position: positions[i] ?? i })),
    audit: { actor, entry: auditOf({ id, domain, source }, applied) },
    events: eventsOf(applied, id, domain, actor),
    firstLookSeconds: reconcileTimes.afterLostAnswer[0] ?? 0,
    lateLookSeconds: isGuess ? reconcileTimes.late : null,
  }
  const interdependent = steps.length > 1 && steps.some(({ action }) => action !== 'create')
  const rows = interdependent
    ? await db.transaction().execute(async (trx) => {
        await lockDomain(trx, domain.id)
        await leavePlaces(trx, settlement)
        return closeChange(trx, settlement)
      })
    : await closeChange(db, settlement)
  sequence.next(domain.id)
  return rows
}

/** The audit entry of the steps that a change has applied. */
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

/** The events of the steps that a change has applied. */
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

/** One event for all records to which the same was done. */
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
