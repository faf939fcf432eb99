import { sql, type Expression, type SqlBool } from 'kysely'
import { RECORDS } from '../../db/columns.ts'
import type { Executor } from '../../db/connect.ts'
import { addressesBeginning } from '../../dns/address-beginnings.ts'
import { readIpv4, readIpv6 } from '../../dns/addresses.ts'
import { toAsciiName } from '../../dns/names.ts'
import { networkOfAddress, readNetwork } from '../../dns/networks.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { domainsOf, recordsVisibleTo } from '../domains/access.ts'
import { addressesBetween, addressesIn } from './address-queries.ts'
import { likePattern, substring } from './list-queries.ts'
import type { RecordRow } from './mapper.ts'

export interface SearchQuery {
  q: string
  page: number
  limit: number
}

type FoundRow = RecordRow & { domain_name: string }
type Condition = Expression<SqlBool>

/** A trigram index helps from three characters on. */
const MIN_SUBSTRING = 3
/** Records of a search that can be paged through: of what is common nobody reads all. */
export const REACH = 1_000
/** Who sees no more domains than that is searched for in those; else what is sought is found first. */
const FEW_DOMAINS = 1_000

/**
 * Finds records by host name, value, full name, address or network, over all domains that the caller sees. Each way to
 * read what is sought is a part of the statement with an end of its own, which finds by one index and stops early.
 */
export async function findRecords(
  db: Executor,
  principal: Principal,
  { q, page, limit }: SearchQuery,
): Promise<{ found: FoundRow[]; total: number; complete: boolean }> {
  const visible = await visibleIn(db, principal)
  const parts = conditionsFor(q).map((condition, i) => partOf(condition, visible, i))
  const all = sql.join(
    parts.map((_, i) => sql`select * from ${sql.ref(`part_${i}`)}`),
    sql` union `,
  )
  const { rows } = await sql<FoundRow & { total: number }>`
    with ${sql.join(parts)},
    found as materialized (select * from (${all}) as parts limit ${REACH + 1}),
    page as (
      select ${sql.raw(RECORDS.join(', '))}, domain_name from found join records on records.id = found.id
      order by domain_name, records.name, records.id
      limit ${Math.max(0, Math.min(limit, REACH - (page - 1) * limit))} offset ${(page - 1) * limit}
    )
    select page.*, counted.total from (select count(*)::int as total from found) as counted
    left join page on true order by domain_name, name, id
  `.execute(db)
  const total = rows[0]?.total ?? 0
  return { found: rows[0]?.id == null ? [] : rows, total: Math.min(total, REACH), complete: total <= REACH }
}

/** Not looked for where the part before has more than can be shown. */
function partOf(condition: Condition, visible: Condition[], i: number) {
  const isWanted = i === 0 ? sql`true` : sql`(select count(*) from ${sql.ref(`part_${i - 1}`)}) <= ${REACH}`
  return sql`${sql.ref(`part_${i}`)} as materialized (
    select records.id, domains.name as domain_name from records join domains on domains.id = records.domain_id
    where ${isWanted} and ${condition} and ${sql.join(visible, sql` and `)} limit ${REACH + 1})`
}

/** What the caller sees, as conditions on `records` with its row of `domains`. */
async function visibleIn(db: Executor, principal: Principal): Promise<Condition[]> {
  const rules = [sql<SqlBool>`true`, ...recordsVisibleTo(principal)]
  if (principal.role === 'admin') return rules
  const { rows } = await sql<{ id: string }>`
    select domains.id from ${domainsOf(principal)} limit ${FEW_DOMAINS + 1}
  `.execute(db)
  if (rows.length > FEW_DOMAINS) return rules
  return [sql<SqlBool>`records.domain_id = any(${rows.map(({ id }) => id)}::uuid[])`, ...rules]
}

/** The ways to read it, each of which an index answers. */
function conditionsFor(q: string): Condition[] {
  const text = q.trim().toLowerCase()
  const network = readNetwork(text)
  if (network) return [addressesIn(network)]
  if (text.length < MIN_SUBSTRING) return [sql<SqlBool>`records.name = ${text}`]
  const addresses = addressesOf(text)
  // `2001:db8::` is an address, and how many begin.
  const begun =
    addresses.length === 0 || text.endsWith('::') ? addressesBeginning(text).map(addressesBetween) : []
  if (addresses.length > 0) return [...addresses, ...begun, inTexts(text)]
  return [
    sql<SqlBool>`(records.name like ${likePattern(text)})`,
    inTexts(text),
    ...begun,
    ...fullNameOf(text),
  ]
}

/** Values that have the text in them, such as an SPF record with an address; not addresses, which have an index of their own. */
const inTexts = (text: string) =>
  sql<SqlBool>`(records.type not in ('A', 'AAAA') and records.value ilike ${substring(text)})`

/** A whole address, however it is written, also as IPv6 has one of IPv4 (RFC 4291 section 2.5.5.2). */
function addressesOf(text: string): Condition[] {
  const four = readIpv4(text)
  const all = four === null ? [readIpv6(text)] : [four, `::ffff:${four}`]
  return all.flatMap((address) => {
    const network = address === null ? null : networkOfAddress(address)
    return network ? [addressesIn(network)] : []
  })
}

/** A full name: each way to cut it into a host and a domain. */
function fullNameOf(text: string): Condition[] {
  const wildcard = text.startsWith('*.')
  const name = toAsciiName(wildcard ? text.slice(2) : text)
  if (!name.ok) return []
  const labels = [...(wildcard ? ['*'] : []), ...name.name.split('.')]
  const cuts = labels.map((_, i) => [labels.slice(0, i).join('.') || '@', labels.slice(i).join('.')] as const)
  return [
    sql<SqlBool>`(records.domain_id, records.name) in (
      select whole.id, cut.host from unnest(${cuts.map(([host]) => host)}::text[], ${cuts.map(([, domain]) => domain)}::text[])
        as cut (host, domain) join domains as whole on whole.name = cut.domain)`,
  ]
}
