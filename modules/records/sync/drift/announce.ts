import type { Executor } from '../../../../db/connection/connect.ts'
import { announce } from '../../../../plugins/events/outbox/announce.ts'
import type { NameCounts } from '../../../../schemas/events/event-catalogue.ts'
import type { DriftReason } from '../../../../schemas/records/drift.ts'
import type { DomainRow } from '../../../domains/access/access.ts'
import { countsByName, type Differences } from '../sync-differences.ts'

type Drifted = Pick<DomainRow, 'id' | 'name'>

/** Announces changes found at a provider. Each recipient gets the counts they may see. `applied`: also made here. */
export async function announceDrift(
  trx: Executor,
  { id, name }: Drifted,
  counts: NameCounts[],
  { applied, reason = null }: { applied: boolean; reason?: DriftReason | null },
): Promise<void> {
  const metadata = { domainId: id, domainName: name, ...sumsOf(counts), applied, reason }
  await announce(trx, 'domain.drift', { metadata, counts, actorId: null })
}

/** Announces the differences that a sync found. */
export const announceDifferences = async (
  trx: Executor,
  domain: Drifted,
  differences: Differences,
  run: { applied: boolean; reason?: DriftReason },
): Promise<void> => announceDrift(trx, domain, await countsByName(differences), run)

/** Announces that changes made at the provider are put back, with the change that does it. */
export const announcePutBack = (
  trx: Executor,
  { id, name }: Drifted,
  { id: changeId, counts, actorId }: { id: string; counts: NameCounts[]; actorId: string | null },
): Promise<void> =>
  announce(trx, 'domain.drift_enforced', {
    metadata: { domainId: id, domainName: name, ...sumsOf(counts), changeId },
    counts,
    actorId,
  })

function sumsOf(counts: readonly NameCounts[]) {
  const sum = (place: 1 | 2 | 3) => counts.reduce((total, count) => total + count[place], 0)
  return { created: sum(1), updated: sum(2), deleted: sum(3) }
}
