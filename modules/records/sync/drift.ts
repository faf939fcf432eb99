import type { Executor } from '../../../db/connection/connect.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import type { NameCounts } from '../../../schemas/events/event-catalogue.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import { countsByName, type Differences } from './sync-differences.ts'

type Drifted = Pick<DomainRow, 'id' | 'name'>

/** Tells of changes at a provider, to each what they see of it; `applied`: they were made here too. */
export async function announceDrift(
  trx: Executor,
  { id, name }: Drifted,
  counts: NameCounts[],
  { applied }: { applied: boolean },
): Promise<void> {
  const sum = (place: 1 | 2 | 3) => counts.reduce((total, count) => total + count[place], 0)
  const metadata = {
    domainId: id,
    domainName: name,
    created: sum(1),
    updated: sum(2),
    deleted: sum(3),
    applied,
  }
  await announce(trx, 'domain.drift', { metadata, counts, actorId: null })
}

/** The same of what a sync has found. */
export const announceDifferences = async (
  trx: Executor,
  domain: Drifted,
  differences: Differences,
  run: { applied: boolean },
): Promise<void> => announceDrift(trx, domain, await countsByName(differences), run)
