import { rrsetKey } from '../../dns/rrset.ts'
import { connectionOf, zoneOf } from '../domains/service.ts'
import type { ProviderConnection } from '../providers/connection.ts'
import { ProviderError, type RRset, type Zone } from '../providers/contract.ts'
import { settleChange, type RecordContext } from './apply.ts'
import type { RecordContent } from './change.ts'
import { pendingItems, type PendingChange, type StepOutcome } from './journal-queries.ts'
import { findDomainForRecovery } from './queries.ts'
import { judge, type PendingStep } from './verdict.ts'

/**
 * Settles a change of which nobody knows how it ended: its instance died, or the provider's answer never came.
 * What the provider holds now decides. Rejects with ProviderError when it can't be asked.
 */
export async function settlePending(context: RecordContext, change: PendingChange): Promise<void> {
  const [domain, items] = await Promise.all([
    findDomainForRecovery(context.db, change.domain_id),
    pendingItems(context.db, change.id),
  ])
  // The domain was deleted meanwhile, and the change with it.
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
      : await outcomesAt(connection, zoneOf(domain), steps)
  const actor = { userId: change.actor_id, username: change.actor_name, ip: null, requestId: null }
  const settled = { id: change.id, domain, source: change.source }
  await settleChange(
    context,
    actor,
    settled,
    steps,
    outcomes,
    items.map((item) => item.position),
  )
}

/** Reads the RRsets concerned and decides for each step whether it happened. */
async function outcomesAt(
  connection: ProviderConnection,
  zone: Zone,
  steps: PendingStep[],
): Promise<StepOutcome[]> {
  const rrsets = new Map<string, RRset | null>()
  for (const content of steps.flatMap(({ before, after }) => [before, after])) {
    if (!content || rrsets.has(rrsetKey(content))) continue
    rrsets.set(rrsetKey(content), await readRRset(connection, zone, content))
  }
  return judge(steps, rrsets)
}

async function readRRset(connection: ProviderConnection, zone: Zone, { name, type }: RecordContent) {
  try {
    return await connection.call((adapter) => adapter.readRRset(zone, name, type))
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error
    // A zone that was deleted there holds nothing; but a wrong address has no zones either.
    if ((await connection.call((adapter) => adapter.findZone(zone.name))) !== null) throw error
    return null
  }
}
