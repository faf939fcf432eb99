import { sql } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import { splitLabels } from '../../dns/wire-name.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { grantsOf, recordsVisibleTo, visibleTo, type Grant } from '../domains/access.ts'

/** Where a name is: in which domain, and what it is called there. */
export interface Place {
  domainId: string
  domainName: string
  /** Relative to the domain. */
  host: string
}

export interface FoundPlace extends Place {
  owner_id: string
  grants: readonly Grant[]
  provider_id: string
  /** Whether the token that the caller comes with reaches the domain. */
  reached: boolean
  /** The target of the CNAME that is served at the name; null: there is none. */
  alias: string | null
}

/** Names that point to one, of which more are not looked at. */
const MAX_ALIASES = 1_000

const ofUser = (principal: Principal): Principal => ({ ...principal, token: null })

const recordsOfUser = (principal: Principal) =>
  sql.join([sql`true`, ...recordsVisibleTo(ofUser(principal))], sql` and `)

/** Of the domains that the caller's user sees those that hold the name: one, or several at different hosts. */
export async function findPlaces(db: Executor, principal: Principal, name: string): Promise<FoundPlace[]> {
  const labels = splitLabels(name)
  const cuts = labels.map((_, i) => ({
    host: labels.slice(0, i).join('.') || '@',
    zone: labels.slice(i).join('.'),
  }))
  const { rows } = await sql<FoundPlace & { domainName: string }>`
    with cut as (
      select * from unnest(${cuts.map(({ host }) => host)}::text[], ${cuts.map(({ zone }) => zone)}::text[])
        as cut (host, zone)
    ), nearest as (
      select host, zone from cut
      where exists (select from domains where domains.name = zone and ${visibleTo(ofUser(principal))})
      order by length(zone) desc limit 1
    )
    select domains.id as "domainId", domains.name as "domainName", nearest.host, owner_id, provider_id,
      ${visibleTo(principal)} as reached, ${grantsOf(principal)} as grants, (
        select value from records where domain_id = domains.id and records.name = nearest.host
          and type = 'CNAME' and enabled and not deleting and ${recordsOfUser(principal)} limit 1
      ) as alias
    from nearest join domains on domains.name = nearest.zone
    where ${visibleTo(ofUser(principal))} order by domains.id
  `.execute(db)
  return rows
}

/** The full names from which CNAMEs that the caller's user sees point to one of these; those for challenges first. */
export async function findAliases(
  db: Executor,
  principal: Principal,
  targets: readonly string[],
): Promise<string[]> {
  // Each target by itself: of a list PostgreSQL guesses so much that it reads all records.
  const { rows } = await sql<{ name: string }>`
    select alias.name from unnest(${targets}::text[]) as target, lateral (
      select case records.name when '@' then domains.name else records.name || '.' || domains.name end as name,
        (records.name || '.') like '\\_acme-challenge.%' as is_challenge
      from records join domains on domains.id = records.domain_id
      where hashtextextended(value, 0) = hashtextextended(target, 0) and value = target
        and type = 'CNAME' and enabled and not deleting and ${recordsOfUser(principal)}
      order by is_challenge desc limit ${MAX_ALIASES}
    ) as alias
    order by is_challenge desc limit ${MAX_ALIASES}
  `.execute(db)
  return rows.map((row) => row.name)
}

/** The TXT records of a name that stay. */
export const findTexts = (db: Executor, { domainId, host }: Place) =>
  db
    .selectFrom('records')
    .select(['id', 'value'])
    .where('domain_id', '=', domainId)
    .where('name', '=', host)
    .where('type', '=', 'TXT')
    .where('deleting', '=', false)
    .execute()

/** Of the domains that the caller sees, at most `limit`. */
export const findDomains = (db: Executor, principal: Principal, limit: number) =>
  db.selectFrom('domains').select(['id', 'name']).where(visibleTo(principal)).limit(limit).execute()
