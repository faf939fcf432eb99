import { sql, type Expression, type SqlBool } from 'kysely'
import type { Executor } from '../../../db/connect.ts'
import type { RecordType } from '../../../dns/types/index.ts'
import type { Principal } from '../../../plugins/access/index.ts'
import { recordsVisibleTo, visibleTo } from '../../domains/access.ts'
import { addressesIn } from '../address-queries.ts'
import type { Scope } from './schemas.ts'
import type { Network } from '../../../dns/networks.ts'

export interface Found {
  id: string
  domain_id: string
  name: string
  type: RecordType
  value: string
  version: number
}

export interface Sought {
  /** Values with their types, canonical; or a network. */
  values: { type: RecordType; value: string }[] | null
  network: Network | null
  /** Host part. */
  name: string | null
  /** Of these alone; null: of all. */
  recordIds: string[] | null
}

/** The records of the domains of the scope, as far as the caller sees them, that are sought; at most `limit`. */
export async function findSought(
  db: Executor,
  principal: Principal,
  { values, network, name, recordIds }: Sought,
  scope: Scope,
  limit: number,
): Promise<Found[]> {
  const conditions = [
    ...(values === null ? [] : [hasOneOf(values)]),
    ...(network === null ? [] : [addressesIn(network)]),
    ...(name === null ? [] : [sql<SqlBool>`records.name = ${name}`]),
    ...(recordIds === null ? [] : [sql<SqlBool>`records.id = any(${recordIds}::uuid[])`]),
    sql<SqlBool>`not records.deleting`,
    visibleTo(principal),
    ...recordsVisibleTo(principal),
    ...inScope(scope),
  ]
  const { rows } = await sql<Found>`
    select records.id, records.domain_id, records.name, records.type, records.value, records.version
    from records join domains on domains.id = records.domain_id
    where ${sql.join(conditions, sql` and `)} limit ${limit}
  `.execute(db)
  return rows
}

/** By the index of hashes, which is small for values of any length. */
const hasOneOf = (values: NonNullable<Sought['values']>) => {
  const texts = [...new Set(values.map(({ value }) => value))]
  return sql<SqlBool>`(
    hashtextextended(records.value, 0) = any(array(select hashtextextended(text, 0) from unnest(${texts}::text[]) as text))
    and (records.type, records.value) in (
      select * from unnest(${values.map(({ type }) => type)}::text[], ${values.map(({ value }) => value)}::text[])
    ))`
}

function inScope({ domainIds, group, tag, search, providerConfigId }: Scope): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  if (domainIds) conditions.push(sql<SqlBool>`domains.id = any(${domainIds}::uuid[])`)
  if (group !== undefined) conditions.push(sql<SqlBool>`domains.group_name = ${group}`)
  if (tag !== undefined) conditions.push(sql<SqlBool>`domains.tags @> array[${tag}]`)
  if (providerConfigId !== undefined) {
    conditions.push(sql<SqlBool>`domains.provider_config_id = ${providerConfigId}`)
  }
  if (search !== undefined && search !== '') {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    conditions.push(sql<SqlBool>`(domains.name like ${pattern} or domains.unicode_name like ${pattern})`)
  }
  return conditions
}
