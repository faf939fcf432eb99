import type { Ownership } from '../../../plugins/security/ownership.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { countDomainsOf, giveDomains, setOwner, touchLists } from '../queries.ts'
import { withdrawTransfers } from './transfers.ts'

/** The domains of a user, and their transfer to another. */
export const ownedDomains: Ownership = {
  name: 'domains',
  count: countDomainsOf,
  transfer: async (trx, from, to) => {
    const given = await giveDomains(trx, from, to)
    if (given.length > 0) {
      await withdrawTransfers(trx, given, null)
      await touchLists(
        trx,
        new Map([
          [from, -given.length],
          [to, given.length],
        ]),
        given,
      )
    }
  },
}

/** Changes the owner of a domain, in the transaction that locks it. */
export async function giveDomain(
  trx: Executor,
  { id, owner_id: from }: { id: string; owner_id: string },
  to: string,
  actorId: string,
): Promise<void> {
  await withdrawTransfers(trx, [id], actorId)
  await setOwner(trx, id, to)
  await touchLists(
    trx,
    new Map([
      [from, -1],
      [to, 1],
    ]),
    [id],
  )
}
