import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { grantsOf, recordsVisibleTo, visibleTo } from '../../domains/access/access.ts'
import type { Holder } from '../../domains/access/holder.ts'

/** Where a name is: in which domain, and what it is called there. */
export interface Place {
  domainId: string
  domainName: string
  /** Relative to the domain. */
  host: string
}

export interface FoundPlace extends Place, Holder {
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

/** More are not looked at: somebody can assign any number of one name, but they come after the own ones. */
const MAX_PLACES = 1_000

/** All places of the name in domains that the caller's user sees. */
export async function findPlaces(db: Executor, principal: Principal, name: string): Promise<FoundPlace[]> {
  const labels = splitLabels(name)
  const cuts = labels.map((_, i) => ({
    host: labels.slice(0, i).join('.') || '@',
    zone: labels.slice(i).join('.'),
  }))
  const { rows } = await sql<FoundPlace>`
    select domains.id, domains.id as "domainId", domains.name, domains.name as "domainName", cut.host, owner_id,
      provider_id, ${visibleTo(principal)} as reached, ${grantsOf(principal)} as grants, (
        select value from records where domain_id = domains.id and records.name = cut.host
          and type = 'CNAME' and enabled and not deleting and ${recordsOfUser(principal)} limit 1
      ) as alias
    from unnest(${cuts.map(({ host }) => host)}::text[], ${cuts.map(({ zone }) => zone)}::text[]) as cut (host, zone)
    join domains on domains.name = cut.zone
    where ${visibleTo(ofUser(principal))}
    order by owner_id = ${principal.userId} desc, domains.id limit ${MAX_PLACES}
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

/** Of the domains that the caller sees, at most `limit`; their user's own ones first. */
export const findDomains = (db: Executor, principal: Principal, limit: number) =>
  db
    .selectFrom('domains')
    .select(['id', 'name', sql<boolean>`owner_id = ${principal.userId}`.as('own')])
    .where(visibleTo(principal))
    .orderBy('own', 'desc')
    .limit(limit)
    .execute()
