import { sql, type Expression, type SqlBool } from 'kysely'
import { RECORDS } from '../../db/columns.ts'
import type { Executor } from '../../db/connect.ts'
import { toAsciiName } from '../../dns/names.ts'
import { readIpv6 } from '../../dns/addresses.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { recordsVisibleTo } from '../domains/access.ts'
import { likePattern, substring } from './list-queries.ts'
import type { RecordRow } from './mapper.ts'

export interface SearchQuery {
  q: string
  page: number
  limit: number
}

type FoundRow = RecordRow & { domain_name: string }

/** A trigram index helps from three characters on. */
const MIN_SUBSTRING = 3

/** Finds records by host name, value, full name or address, over all domains that the caller sees. */
export async function findRecords(
  db: Executor,
  principal: Principal,
  { q, page, limit }: SearchQuery,
): Promise<{ found: FoundRow[]; total: number }> {
  const condition = sql.join(conditionsFor(q), sql` or `)
  const visible = [sql`true`, ...recordsVisibleTo(principal)]
  const { rows } = await sql<FoundRow & { total: number }>`
    with found as (
      select ${sql.raw(RECORDS.join(', '))}, domains.name as domain_name from records
      join domains on domains.id = records.domain_id
      where (${condition}) and ${sql.join(visible, sql` and `)}
    )
    select page.*, counted.total from (select count(*)::int as total from found) as counted
    left join lateral (
      select * from found order by domain_name, name, id limit ${limit} offset ${(page - 1) * limit}
    ) as page on true
    order by domain_name, name, id
  `.execute(db)
  return { found: rows[0]?.id == null ? [] : rows, total: rows[0]?.total ?? 0 }
}

function conditionsFor(q: string): Expression<SqlBool>[] {
  const text = q.trim().toLowerCase()
  if (text.length < MIN_SUBSTRING) return [sql<SqlBool>`records.name = ${text}`]
  const conditions = [
    sql<SqlBool>`records.name like ${likePattern(text)}`,
    sql<SqlBool>`records.value ilike ${substring(text)}`,
  ]
  // An address may be written in many ways, and we store one.
  const address = readIpv6(text)
  if (address !== null) conditions.push(sql<SqlBool>`records.value = ${address}`)
  const wildcard = text.startsWith('*.')
  const name = toAsciiName(wildcard ? text.slice(2) : text)
  if (name.ok) {
    // A full name: each way to cut it into a host and a domain.
    const labels = [...(wildcard ? ['*'] : []), ...name.name.split('.')]
    const cuts = labels.map(
      (_, i) => [labels.slice(0, i).join('.') || '@', labels.slice(i).join('.')] as const,
    )
    conditions.push(sql<SqlBool>`(records.domain_id, records.name) in (
      select whole.id, cut.host from unnest(${cuts.map(([host]) => host)}::text[], ${cuts.map(([, domain]) => domain)}::text[])
        as cut (host, domain) join domains as whole on whole.name = cut.domain)`)
  }
  return conditions
}
