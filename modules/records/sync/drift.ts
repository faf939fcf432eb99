import type { Executor } from '../../../db/connection/connect.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import type { NameCounts } from '../../../schemas/events/event-catalogue.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import { countsByName, type Differences } from './sync-differences.ts'

type Drifted = Pick<DomainRow, 'id' | 'name'>

/** Announces changes found at a provider. Each recipient gets the counts they may see. `applied`: also made here. */
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

/** Announces the differences that a sync found. */
export const announceDifferences = async (
  trx: Executor,
  domain: Drifted,
  differences: Differences,
  run: { applied: boolean },
): Promise<void> => announceDrift(trx, domain, await countsByName(differences), run)
