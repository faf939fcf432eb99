import { sql, type Expression, type SqlBool } from 'kysely'
import type { Executor } from '../../../../db/connection/connect.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import type { Principal } from '../../../../plugins/security/access/index.ts'
import { recordsVisibleTo, visibleTo } from '../../../domains/access/access.ts'
import { addressesIn } from '../../list/search-queries.ts'
import type { Scope } from './schemas.ts'
import { lengthOf, textOfNetwork, type Network } from '../../../../dns/addresses/networks.ts'
import { invalid } from '../../../../plugins/http/errors.ts'
import { replaceInside, type Move } from './inside.ts'

export interface Found {
  id: string
  domain_id: string
  name: string
  type: RecordType
  value: string
  version: number
  /** The addresses are only a part of the value. */
  isInside: boolean
}

export interface Sought {
  /** Values by type, canonical; or a network. */
  values: { type: RecordType; value: string }[] | null
  network: Network | null
  type: RecordType | null
  /** Host part. */
  name: string | null
  /** Only these records; null: all. */
  recordIds: string[] | null
}

/** Returns matching records that the caller sees in the domains of the scope, at most `limit`. */
export async function findSought(
  db: Executor,
  principal: Principal,
  sought: Sought,
  scope: Scope,
  limit: number,
): Promise<Found[]> {
  const { values, network } = sought
  const conditions = [
    ...(values === null ? [] : [hasOneOf(values)]),
    ...(network === null ? [] : [addressesIn(network)]),
  ]
  const rows = await find(db, principal, { sought, scope, conditions, limit })
  return rows.map((row) => ({ ...row, isInside: false }))
}

/**
 * Returns records of other types that may contain the replaced addresses; none unless addresses are replaced.
 * Networks in SPF can be written in many ways, so each SPF record with a network is a candidate. At most
 * `limit` in total.
 */
export async function findInside(
  db: Executor,
  principal: Principal,
  { sought, move }: { sought: Sought; move: Move | null },
  scope: Scope,
  limit: number,
): Promise<Found[]> {
  if (move === null) return []
  const [hint, mechanism] = move.from.type === 'A' ? ['ipv4hint=', 'ip4:'] : ['ipv6hint=', 'ip6:']
  const texts = [`%${hint}%`, `%v=spf1%${mechanism}%`]
  if (move.from.prefix === lengthOf(move.from)) texts.push(`%${textOfNetwork(move.from, false)}%`)
  const conditions = [
    sql<SqlBool>`(records.type not in ('A', 'AAAA') and (${sql.join(
      texts.map((text) => sql`records.value ilike ${text}`),
      sql` or `,
    )}))`,
  ]
  const rows = await find(db, principal, { sought, scope, conditions, limit })
  if (rows.length === limit) {
    const message = 'must find fewer SPF and HTTPS records with addresses: narrow it by a scope or a type'
    throw invalid({ path: '/find', code: 'too_many_found', message })
  }
  const isWhole = ({ type, value }: Row) =>
    sought.values?.some((one) => one.type === type && one.value === value)
  return rows
    .filter((row) => !isWhole(row) && replaceInside(row.type, row.value, move) !== null)
    .map((row) => ({ ...row, isInside: true }))
}

type Row = Omit<Found, 'isInside'>

interface Find {
  sought: Sought
  scope: Scope
  conditions: Expression<SqlBool>[]
  limit: number
}

async function find(db: Executor, principal: Principal, { sought, scope, conditions, limit }: Find) {
  const { type, name, recordIds } = sought
  const all = [
    ...conditions,
    ...(type === null ? [] : [sql<SqlBool>`records.type = ${type}`]),
    ...(name === null ? [] : [sql<SqlBool>`records.name = ${name}`]),
    ...(recordIds === null ? [] : [sql<SqlBool>`records.id = any(${recordIds}::uuid[])`]),
    sql<SqlBool>`not records.deleting`,
    visibleTo(principal),
    ...recordsVisibleTo(principal),
    ...inScope(scope),
  ]
  const { rows } = await sql<Row>`
    select records.id, records.domain_id, records.name, records.type, records.value, records.version
    from records join domains on domains.id = records.domain_id
    where ${sql.join(all, sql` and `)} limit ${limit}
  `.execute(db)
  return rows
}

/** Uses the index of hashes, which stays small for long values. */
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
