import { sql, type Expression, type Insertable, type Selectable, type SqlBool } from 'kysely'
import { validate as isUuid } from 'uuid'
import { AUDIT } from '../../db/tables/columns.ts'
import { anyOf } from '../../db/expressions.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { AuditTable, Origin } from '../../db/tables/index.ts'

/** An entry with its actor's kind, while the account exists. */
export type AuditRow = Selectable<AuditTable> & { actor_kind: 'person' | 'machine' | null }

export const insertAuditRows = (db: Executor, rows: Insertable<AuditTable>[]) =>
  db.insertInto('audit').values(rows).execute()

/** Filter of the audit log; all given fields must match. */
export interface AuditFilter {
  /** Id or name. */
  actor?: string
  /** One action, or `<area>.*`. */
  action?: string
  /** Id or type. */
  target?: string
  /** Id or name of the personal token. */
  token?: string
  origin?: Origin
  from?: string
  to?: string
}

/** Position of an entry in the list. `moment`: its time as text, in microseconds. */
export interface Position {
  moment: string
  id: string
}

function matching({ actor, action, target, token, origin, from, to }: AuditFilter): Expression<SqlBool> {
  const conditions = [sql<SqlBool>`true`]
  if (actor !== undefined) {
    conditions.push(isUuid(actor) ? sql`actor_id = ${actor}` : sql`actor_name = ${actor.toLowerCase()}`)
  }
  if (action?.endsWith('.*')) {
    const area = action.slice(0, -1)
    // "/" comes right after ".": this range holds all actions of the area.
    conditions.push(sql`action collate "C" >= ${area} and action collate "C" < ${area.slice(0, -1) + '/'}`)
  } else if (action !== undefined) {
    conditions.push(sql`action collate "C" = ${action}`)
  }
  if (target !== undefined) {
    conditions.push(isUuid(target) ? sql`target_id = ${target}` : sql`target_type = ${target}`)
  }
  if (token !== undefined) {
    conditions.push(isUuid(token) ? sql`token_id = ${token}` : sql`token_name = ${token}`)
  }
  if (origin !== undefined) conditions.push(sql`origin = ${origin}`)
  if (from !== undefined) conditions.push(sql`at >= ${new Date(from)}`)
  if (to !== undefined) conditions.push(sql`at < ${new Date(to)}`)
  return sql.join(conditions, sql` and `)
}

const placedRows = (db: Executor) =>
  db
    .selectFrom('audit')
    .select(AUDIT)
    .select(sql<string>`to_json(at) #>> '{}'`.as('moment'))
    .select(
      sql<AuditRow['actor_kind']>`(select account_kind from users where users.id = audit.actor_id)`.as(
        'actor_kind',
      ),
    )

const newestFirst = (db: Executor, filter: AuditFilter) =>
  placedRows(db).where(matching(filter)).orderBy('at', 'desc').orderBy('id', 'desc')

export const auditPage = (db: Executor, filter: AuditFilter, page: number, limit: number) =>
  newestFirst(db, filter)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()

/** Returns entries after a position by key, equally fast at any position. */
export const auditAfter = (db: Executor, filter: AuditFilter, position: Position | null, limit: number) => {
  const query = newestFirst(db, filter).limit(limit)
  if (position === null) return query.execute()
  return query
    .where(sql<SqlBool>`(at, id) < (${position.moment}::timestamptz, ${position.id}::uuid)`)
    .execute()
}

export async function countAudit(db: Executor, filter: AuditFilter): Promise<number> {
  const { count } = await db
    .selectFrom('audit')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(matching(filter))
    .executeTakeFirstOrThrow()
  return count
}

/** The time of the oldest entry, if it is before that. */
export async function oldestBefore(db: Executor, before: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('audit')
    .select('at')
    .where('at', '<', before)
    .orderBy('at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Entries of a period, oldest first, after a position. */
export const oldestFirst = (
  db: Executor,
  { from, to }: { from: Date; to: Date },
  position: Position | null,
  limit: number,
) =>
  placedRows(db)
    .where('at', '>=', from)
    .where('at', '<', to)
    .$if(position !== null, (query) =>
      query.where(sql<SqlBool>`(at, id) > (${position?.moment}::timestamptz, ${position?.id}::uuid)`),
    )
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Returns how many there were. */
export async function deleteEntries(db: Executor, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit')
    .where('id', '=', anyOf(ids))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
