import { connectionOf, zoneOf } from '../../domains/service.ts'
import type { RecordContext } from '../context.ts'
import type { StepOutcome } from '../apply/journal/journal-queries.ts'
import { actorOf } from '../apply/journal/journal-actor.ts'
import { secondsToNextAttempt } from './times.ts'
import { readRRsets } from '../apply/provider/provider-reads.ts'
import { findDomainForRecovery } from '../list/queries.ts'
import { storeOutcomes } from '../apply/outcomes.ts'
import { noteAttempt, pendingItems, type DueChange } from './reconcile-queries.ts'
import type { ProviderConnection } from '../../providers/traffic/connection.ts'
import type { Zone } from '../../providers/contract.ts'
import { judge, type PendingStep } from './verdict.ts'

/**
 * Reconciles a change with unknown outcome: its instance died, or the provider's answer never came. The records at the
 * provider decide: at once if the whole change is there, else at the last attempt, because it may still be applied. Rejects
 * with ProviderError when the provider can't be asked.
 */
export async function reconcilePending(context: RecordContext, change: DueChange): Promise<void> {
  const [domain, items] = await Promise.all([
    findDomainForRecovery(context.db, change.domain_id),
    pendingItems(context.db, change.id),
  ])
  // The domain and its changes were deleted in the meantime.
  if (!domain) return
  const connection = await connectionOf(context, domain)
  const steps = items.map((item) => ({
    action: item.action,
    recordId: item.record_id,
    before: item.before,
    after: item.after,
    providerId: item.provider_record_id,
  }))
  const outcomes =
    connection.provider.capabilities.truth === 'local'
      ? steps.map((): StepOutcome => ({ outcome: 'applied', providerId: null }))
      : judge(steps, await readInForce(connection, zoneOf(domain), steps))
  const isThere = outcomes.every(({ outcome }) => outcome === 'applied')
  const { afterDeath, afterLostAnswer } = context.reconcileTimes
  const times = change.unknown_since === null ? afterDeath : afterLostAnswer
  const wait = isThere ? null : secondsToNextAttempt(times, change.looks)
  if (wait !== null) return void (await noteAttempt(context.db, change.id, wait))
  const settled = { id: change.id, domain, source: change.source, isUncertain: !isThere }
  await storeOutcomes(
    context,
    actorOf(change),
    settled,
    steps,
    outcomes,
    items.map((item) => item.position),
  )
}

/** Commits edits that a crash or a lost answer left uncommitted, then reads the RRsets of the steps. */
async function readInForce(connection: ProviderConnection, zone: Zone, steps: PendingStep[]) {
  await connection.call(async (adapter) => adapter.commit?.(zone))
  return readRRsets(connection, zone, steps)
}
