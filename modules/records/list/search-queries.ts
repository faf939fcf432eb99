import { sql, type SqlBool, type Expression, type RawBuilder } from 'kysely'
import { boundsOf, type Network, networkOfAddress, readNetwork } from '../../../dns/addresses/networks.ts'
import { RECORDS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { PLANNED_EACH_TIME } from '../../../db/connection/prepared.ts'
import { addressesBeginning } from '../../../dns/addresses/address-beginnings.ts'
import { readIpv4, readIpv6 } from '../../../dns/addresses/addresses.ts'
import { toAsciiName } from '../../../dns/names/names.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import {
  domainsOf,
  recordsVisibleIn,
  recordsVisibleTo,
  seesWholeDomain,
} from '../../domains/access/access.ts'
import { likePattern, substring } from './list-queries.ts'
import type { RecordRow } from './mapper.ts'

export interface SearchQuery {
  q: string
  page: number
  limit: number
  cursor?: string
}

/** Position of a record in search order. */
export interface FoundPosition {
  domainName: string
  name: string
  id: string
}

export type FoundRow = RecordRow & { domain_name: string }
type Condition = Expression<SqlBool>

/** One interpretation of the search text. */
interface Way {
  /** The condition that an index answers. */
  indexed: Condition
  /** The remaining condition, checked on as few records as possible. */
  exact?: Condition
}

/** Minimum characters for a trigram index. */
const MIN_SUBSTRING = 3
/**
 * From this length on, only pieces of the text are looked up in the index: their length, and the distance of
 * their starts.
 */
const LONG = 16
const PIECE = 5
const PIECES_APART = 8
/** Records of a search that can be paged through; the rest of a frequent match is not read. */
export const REACH = 1_000
/**
 * Up to this number of visible domains, only these are searched; with more, visibility is checked on the
 * matches.
 */
const FEW_DOMAINS = 1_000

/**
 * Finds records by host name, value, full name, address or network in all domains that the caller sees. Each
 * interpretation is a separate part of the statement with a limit of its own, so it uses one index and stops
 * early.
 */
export async function findRecords(
  db: Executor,
  principal: Principal,
  { q, page, limit }: SearchQuery,
  after: FoundPosition | null,
): Promise<{ found: FoundRow[]; total: number; complete: boolean }> {
  const sight = await sightOf(db, principal)
  const parts = waysFor(q).map((way, i) => partOf(sight(way), i))
  const either = sql.join(
    parts.map((_, i) => sql`select * from ${sql.ref(`part_${i}`)}`),
    sql` union `,
  )
  const follows = after
    ? sql`(domain_name, name, id) > (${after.domainName}::text, ${after.name}::text, ${after.id}::uuid)`
    : sql`true`
  const { rows } = await sql<FoundRow & { total: number }>`${sql.raw(PLANNED_EACH_TIME)}
    with ${sql.join(parts)},
    found as materialized (select * from (${either}) as parts limit ${REACH + 1}),
    reached as (
      select found.id, domain_name, records.name from found join records on records.id = found.id
      order by domain_name, name, id limit ${REACH}
    ),
    cut as (
      select id, domain_name from reached where ${follows}
      order by domain_name, name, id limit ${limit} offset ${after ? 0 : (page - 1) * limit}
    ),
    page as (
      select ${sql.raw(RECORDS.join(', '))}, domain_name from cut join records on records.id = cut.id
    )
    select page.*, counted.total from (select count(*)::int as total from found) as counted
    left join page on true order by domain_name, name, id
  `.execute(db)
  const total = rows[0]?.total ?? 0
  return { found: rows[0]?.id == null ? [] : rows, total: Math.min(total, REACH), complete: total <= REACH }
}

/** Skipped if the previous part already has more than can be shown. */
function partOf(found: RawBuilder<unknown>, i: number) {
  const isWanted = i === 0 ? sql`true` : sql`(select count(*) from ${sql.ref(`part_${i - 1}`)}) <= ${REACH}`
  return sql`${sql.ref(`part_${i}`)} as materialized (${found} and ${isWanted} limit ${REACH + 1})`
}

/** Visible records among the matches: `id` and `domain_name`. */
type Sight = (way: Way) => RawBuilder<unknown>

/** A few domains are read first, so that permissions are not checked for records of fully visible domains. */
async function sightOf(db: Executor, principal: Principal): Promise<Sight> {
  if (principal.role === 'admin') return inAll(principal)
  const rows = await db
    .selectFrom(domainsOf(principal))
    .select(['id', 'name', sql<boolean>`${seesWholeDomain(principal)}`.as('whole')])
    .limit(FEW_DOMAINS + 1)
    .execute()
  if (rows.length > FEW_DOMAINS) return inAll(principal)
  const few = sql`unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ name }) => name)}::text[],
    ${rows.map(({ whole }) => whole)}::boolean[]) as domains (id, name, whole)`
  // A separate subquery, so that the costly conditions are evaluated only for records of these domains.
  return ({ indexed, exact }) => sql`select id, domain_name from (
      select records.id, records.domain_id, records.name, records.type, records.value, domains.name as domain_name,
        domains.whole
      from records join ${few} on domains.id = records.domain_id where ${indexed} offset 0
    ) as records where ${all(exact, ...recordsVisibleIn(principal))}`
}

const inAll =
  (principal: Principal): Sight =>
  ({ indexed, exact }) =>
    sql`select records.id, domains.name as domain_name from records join domains on domains.id = records.domain_id
      where ${all(indexed, exact, ...recordsVisibleTo(principal))}`

const all = (...conditions: (Condition | undefined)[]) =>
  sql.join([sql`true`, ...conditions.flatMap((condition) => condition ?? [])], sql` and `)

/** Interpretations of the text, each answered by an index. */
function waysFor(q: string): Way[] {
  const text = q.trim().toLowerCase()
  const network = readNetwork(text)
  if (network) return [{ indexed: addressesIn(network) }]
  if (text.length < MIN_SUBSTRING) return [{ indexed: sql<SqlBool>`records.name = ${text}` }]
  const addresses = addressesOf(text)
  // `2001:db8::` is an address, and also the beginning of others.
  const begun =
    addresses.length === 0 || text.endsWith('::') ? addressesBeginning(text).map(addressesBetween) : []
  const indexed = (conditions: Condition[]) => conditions.map((condition): Way => ({ indexed: condition }))
  if (addresses.length > 0) return [...indexed([...addresses, ...begun]), inTexts(text)]
  return [
    { indexed: sql<SqlBool>`(records.name like ${likePattern(text)})` },
    inTexts(text),
    ...indexed([...begun, ...fullNameOf(text)]),
  ]
}

/**
 * Values that contain the text, such as an SPF record with an address; A and AAAA have an index of their own.
 */
const inTexts = (text: string): Way => ({
  indexed: sql<SqlBool>`(records.type not in ('A', 'AAAA') and records.value ilike ${piecesOf(text)})`,
  ...(text.length >= LONG && { exact: sql<SqlBool>`strpos(lower(records.value), lower(${text})) > 0` }),
})

/**
 * The pattern for the index, which looks up every three characters; for a long text, some pieces are enough.
 */
function piecesOf(text: string): string {
  if (text.length < LONG) return substring(text)
  const starts = Array.from({ length: Math.floor(text.length / PIECES_APART) }, (_, i) => i * PIECES_APART)
  return starts.map((start) => substring(text.slice(start, start + PIECE))).join('')
}

/** A whole address in any spelling; for IPv4 also the IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2). */
function addressesOf(text: string): Condition[] {
  const four = readIpv4(text)
  const all = four === null ? [readIpv6(text)] : [four, `::ffff:${four}`]
  return all.flatMap((address) => {
    const network = address === null ? null : networkOfAddress(address)
    return network ? [addressesIn(network)] : []
  })
}

/** A full name: each way to split it into a host and a domain. */
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

/** A and AAAA records in an address range, by the index of addresses. */
export const addressesBetween = ([first, last]: readonly [string, string]) =>
  sql<SqlBool>`(records.type in ('A', 'AAAA')
    and record_address(records.value) between ${first}::inet and ${last}::inet)`

/** A and AAAA records with an address in the network. */
export const addressesIn = (network: Network) => addressesBetween(boundsOf(network))
