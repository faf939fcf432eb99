import { v7 as uuidv7 } from 'uuid'
import type { MirrorFinding } from '../../../db/tables/index.ts'
import { memberKey } from '../../../dns/names/rrset.ts'
import { ProviderError } from '../../providers/contract.ts'
import type { RecordContext } from '../context.ts'
import type { StepOutcome } from '../apply/journal/journal-queries.ts'
import { sendSteps } from '../apply/provider/provider-edits.ts'
import { readSets } from '../apply/provider/provider-reads.ts'
import { isOfProvider } from '../move/adapted.ts'
import { planCopy } from '../move/copy-plan.ts'
import type { RecordContent, RecordState } from '../plan/change.ts'
import { foundIn, type ProviderRecords } from '../sync/sync-provider.ts'
import { findingsOf, refusedSteps } from './zones/findings.ts'
import { WHOLE, type OpenMirror } from './open.ts'
import { itemsToMirror, type QueuedChange } from './queue-queries.ts'

/** What a mirror got of a change. */
interface Brought {
  /** The records that the change concerned, before and after. */
  concerned: RecordContent[]
  findings: MirrorFinding[]
}

/**
 * Applies a change to a mirror: reads the RRsets that it concerns there, and makes its records there what they are after the
 * change. Doing it again changes nothing. What the provider refuses is a finding; rejects with ProviderError if it fails
 * otherwise, and with LeaseLost before anything is sent.
 */
export async function bringChange(
  context: RecordContext,
  open: OpenMirror,
  { change_id: changeId, positions }: Pick<QueuedChange, 'change_id' | 'positions'>,
  requireLease: () => Promise<void>,
): Promise<Brought> {
  const items = changeId === null ? [] : await itemsToMirror(context.db, changeId, positions)
  const { host, zone } = open
  const isHeld = (content: RecordContent | null): content is RecordContent =>
    content !== null &&
    !isOfProvider(content) &&
    (content.enabled || host.provider.capabilities.disabledRecords)
  const before = items.map((item) => item.before).filter(isHeld)
  // The last content counts where an identity comes twice.
  const after = [
    ...new Map(
      items
        .map((item) => item.after)
        .filter(isHeld)
        .map((one) => [memberKey(one), one]),
    ).values(),
  ]
  const concerned = items.flatMap((item) => [item.before, item.after].filter((one) => one !== null))
  if (before.length + after.length === 0) return { concerned, findings: [] }
  const connection = open.connect()
  const sets = await readSets(connection, zone, [...before, ...after])
  const held = [...sets.values()].flatMap((rrset) => (rrset ? foundIn(rrset) : []))
  const there: ProviderRecords = { records: new Map(held), total: held.length, unmanaged: [], soa: null }
  const records = after.map(toState)
  const holdings = { name: zone.name, scope: WHOLE, records, unmanaged: [], isRead: true }
  const plan = await planCopy(holdings, host, there, new Set(before.map(memberKey)))
  const findings = findingsOf(records, host, plan)
  if (plan.steps.length === 0) return { concerned, findings }
  await requireLease()
  const { outcomes, failure } = await sendSteps(connection, zone, plan.steps, { separate: true })
  requireDecided(outcomes, failure)
  return { concerned, findings: [...findings, ...refusedSteps(plan.steps, outcomes)] }
}

/** Rejects with the failure unless each step was applied or refused for itself. */
export function requireDecided(outcomes: readonly StepOutcome[], failure: ProviderError | null): void {
  const isDecided = (one: StepOutcome) =>
    one.outcome === 'applied' ||
    (one.outcome === 'failed' && (one.code === 'provider_rejected' || one.code === 'provider_conflict'))
  if (outcomes.every(isDecided)) return
  throw failure ?? new ProviderError('unavailable', 'Not all changes were sent')
}

/** The record as it was after the change. */
const toState = (content: RecordContent): RecordState => ({
  ...content,
  id: uuidv7(),
  version: 1,
  status: 'active',
  providerId: null,
})
