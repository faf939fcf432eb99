import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { grantsOf, recordsVisibleTo, visibleTo } from '../../domains/access/access.ts'
import type { Holder } from '../../domains/access/holder.ts'

/** A name within a domain. */
export interface ChallengePlace {
  domainId: string
  domainName: string
  /** Relative to the domain. */
  host: string
}

export interface FoundPlace extends ChallengePlace, Holder {
  provider_id: string
  /** Whether the caller's token covers the domain. */
  reached: boolean
  /** Target of the CNAME at the name; null without a CNAME. */
  alias: string | null
}

/** Maximum names pointing to one that are checked. */
const MAX_ALIASES = 1_000

const ofUser = (principal: Principal): Principal => ({ ...principal, token: null })

const recordsOfUser = (principal: Principal) =>
  sql.join([sql`true`, ...recordsVisibleTo(ofUser(principal))], sql` and `)

/** Maximum places of a name. Others can assign any number, but the caller's own come first. */
const MAX_PLACES = 1_000

/** Returns the places of the name in domains that the caller's user sees. */
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

/** Returns full names whose CNAMEs, visible to the caller's user, point to one of these; challenge names first. */
export async function findAliases(
  db: Executor,
  principal: Principal,
  targets: readonly string[],
): Promise<string[]> {
  // One target at a time: for a list, PostgreSQL estimates so many rows that it scans all records.
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

/** Returns the TXT records of a name. */
export const findTexts = (db: Executor, { domainId, host }: ChallengePlace) =>
  db
    .selectFrom('records')
    .select(['id', 'value'])
    .where('domain_id', '=', domainId)
    .where('name', '=', host)
    .where('type', '=', 'TXT')
    .where('deleting', '=', false)
    .execute()

/** Returns at most `limit` domains the caller sees; their user's own first. */
export const findDomains = (db: Executor, principal: Principal, limit: number) =>
  db
    .selectFrom('domains')
    .select(['id', 'name', sql<boolean>`owner_id = ${principal.userId}`.as('own')])
    .where(visibleTo(principal))
    .orderBy('own', 'desc')
    .limit(limit)
    .execute()
