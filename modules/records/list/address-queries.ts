import { sql, type SqlBool } from 'kysely'
import { boundsOf, type Network } from '../../../dns/addresses/networks.ts'

/** A and AAAA records in an address range, by the index of addresses. */
export const addressesBetween = ([first, last]: readonly [string, string]) =>
  sql<SqlBool>`(records.type in ('A', 'AAAA')
    and record_address(records.value) between ${first}::inet and ${last}::inet)`

/** A and AAAA records with an address in the network. */
export const addressesIn = (network: Network) => addressesBetween(boundsOf(network))
