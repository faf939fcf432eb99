import { sql, type SqlBool } from 'kysely'
import { boundsOf, type Network } from '../../../dns/addresses/networks.ts'

/** A and AAAA records with an address from the first to the last: a range of their index by address. */
export const addressesBetween = ([first, last]: readonly [string, string]) =>
  sql<SqlBool>`(records.type in ('A', 'AAAA')
    and record_address(records.value) between ${first}::inet and ${last}::inet)`

/** The same with an address of the network. */
export const addressesIn = (network: Network) => addressesBetween(boundsOf(network))
