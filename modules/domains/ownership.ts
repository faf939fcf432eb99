import type { Ownership } from '../../plugins/ownership.ts'
import { countDomainsOf, giveDomains, touchLists } from './queries.ts'

/** The domains of a user; handed over, they leave one list and come into another. */
export const ownedDomains: Ownership = {
  name: 'domains',
  count: countDomainsOf,
  transfer: async (trx, from, to) => {
    const given = await giveDomains(trx, from, to)
    if (given.length > 0) {
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
