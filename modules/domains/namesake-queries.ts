import { sql } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import { zoneNamesOf } from './holder.ts'

/** A domain of another user whose name equals, contains or lies below a name. */
export interface Namesake {
  id: string
  name: string
  owner_id: string
}

/** Of the locks of names, beside other advisory locks. */
const NAME_LOCKS = 42

/** Owners who are told of one registration. */
const MAX_OWNERS = 1_000

/**
 * Of each other owner the domain nearest to the root that overlaps with the (canonical) name: names above it are found by
 * equality, names below it by the index of reversed names. Names of domains have no character that `like` reads otherwise.
 */
export async function findNamesakes(
  db: Executor,
  userId: string,
  name: string,
  limit = MAX_OWNERS,
): Promise<Namesake[]> {
  const { rows } = await sql<Namesake>`
    select distinct on (owner_id) owner_id, id, name from domains
    where owner_id <> ${userId}
      and (name = any(${zoneNamesOf(name)}::text[]) or reverse(name) like reverse(${`.${name}`}) || '%')
    order by owner_id, length(name), id limit ${limit}
  `.execute(db)
  return rows
}

/** Names that overlap share their last two labels: of several who register such names at the same time, one goes first. */
export const lockNames = (trx: Executor, name: string) => {
  const shared = name.split('.').slice(-2).join('.')
  return sql`select pg_advisory_xact_lock(${NAME_LOCKS}::int, hashtext(${shared}))`.execute(trx)
}
