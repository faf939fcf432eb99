import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { PLANNED_EACH_TIME } from '../../../db/connection/prepared.ts'
import { zoneNamesOf } from '../access/holder.ts'

/** A domain of another user whose name equals, contains or lies below a name. */
export interface Namesake {
  id: string
  name: string
  owner_id: string
}

/** Class of the advisory locks on names. */
export const NAME_LOCKS = 42

// A generic plan could not use the index of reversed names.
const PLANNED = sql.raw(PLANNED_EACH_TIME)

/** Maximum number of owners notified of a registration. */
const MAX_OWNERS = 1_000

/**
 * Whether a row of `domains` belongs to another user and overlaps with the canonical name: parents are found
 * by equality, names below by the index of reversed names. Domain names contain no `like` wildcards.
 */
const overlaps = (userId: string, name: string) => sql<SqlBool>`owner_id <> ${userId}
  and (name = any(${zoneNamesOf(name)}::text[]) or reverse(name) like reverse(${`.${name}`}) || '%')`

export async function hasNamesakes(db: Executor, userId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('domains')
    .modifyFront(PLANNED)
    .select('id')
    .where(overlaps(userId, name))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** For each other owner, the overlapping domain nearest to the root. */
export function findNamesakes(db: Executor, userId: string, name: string): Promise<Namesake[]> {
  return db
    .selectFrom('domains')
    .modifyFront(PLANNED)
    .distinctOn('owner_id')
    .select(['owner_id', 'id', 'name'])
    .where(overlaps(userId, name))
    .orderBy('owner_id')
    .orderBy(sql`length(name)`)
    .orderBy('id')
    .limit(MAX_OWNERS)
    .execute()
}

/** Serializes registrations of overlapping names, which share their last two labels. */
export const lockNames = (trx: Executor, name: string) =>
  sql`select pg_advisory_xact_lock(${NAME_LOCKS}::int, hashtext(${sharedPartOf(name)}))`.execute(trx)

export const sharedPartOf = (name: string) => name.split('.').slice(-2).join('.')
