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

/** Of the locks of names, beside other advisory locks. */
const NAME_LOCKS = 42

// A plan for any name could not use the index of reversed names.
const PLANNED = sql.raw(PLANNED_EACH_TIME)

/** Owners who are told of one registration. */
const MAX_OWNERS = 1_000

/**
 * Whether a row of `domains` is of another user and overlaps with the (canonical) name: names above it are found by
 * equality, names below it by the index of reversed names. Names of domains have no character that `like` reads otherwise.
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

/** Of each other owner the domain nearest to the root that overlaps with the name. */
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

/** Names that overlap share their last two labels: of several who register such names at the same time, one goes first. */
export const lockNames = (trx: Executor, name: string) => {
  const shared = name.split('.').slice(-2).join('.')
  return sql`select pg_advisory_xact_lock(${NAME_LOCKS}::int, hashtext(${shared}))`.execute(trx)
}
