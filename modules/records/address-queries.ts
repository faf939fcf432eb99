import { sql, type SqlBool } from 'kysely'
import { boundsOf, type Network } from '../../dns/networks.ts'

/** A and AAAA records with an address of the network: a range of their index by address. */
export const addressesIn = (network: Network) => {
  const [first, last] = boundsOf(network)
  return sql<SqlBool>`(records.type in ('A', 'AAAA')
    and record_address(records.value) between ${first}::inet and ${last}::inet)`
}
