import { sql, type Expression, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { CHANGE_ITEMS, CHANGES } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangeItemsTable, ChangesTable, Origin } from '../../../db/tables/index.ts'
import { placesInScope, seesAllRecords, type RecordScope } from '../../domains/access/access.ts'
import type { Position } from '../../../plugins/page-cursor.ts'
import type { RecordContent } from '../plan/change.ts'
import { SETTLED_ORDER } from '../list/queries.ts'

export type ChangeRow = Selectable<ChangesTable> & {
  item_count: number
  actor_kind: 'person' | 'machine' | null
  requested_by: string | null
}

export type ItemRow = Selectable<ChangeItemsTable>

/**
 * A side of an item, with defaults for fields that older changes lack; null if there is no record on that
 * side.
 */
export const contentIn = (side: 'before' | 'after') =>
  sql<RecordContent | null>`'{"enabled": true, "comment": "", "routing": null, "extra": null}'::jsonb || ${sql.ref(side)}`

export const ITEM = sql`${sql.raw(CHANGE_ITEMS.filter((name) => !/\.(before|after)$/.test(name)).join(', '))},
  ${contentIn('before')} as before, ${contentIn('after')} as after`

/** Conditions for a visible side of an item. */
const sideInScope = (scope: RecordScope, side: 'before' | 'after'): Expression<SqlBool>[] => {
  const field = (name: string) => sql`(change_items.${sql.ref(side)} ->> ${sql.lit(name)})`
  return placesInScope(scope, { name: field('name'), type: field('type') })
}

/** Items with at least one visible side. */
const itemInScope = (scope: RecordScope): Expression<SqlBool> => {
  if (seesAllRecords(scope)) return sql<SqlBool>`true`
  const sides = (['before', 'after'] as const).map(
    (side) => sql`(${sql.join(sideInScope(scope, side), sql` and `)})`,
  )
  return sql<SqlBool>`(${sql.join(sides, sql` or `)})`
}

/**
 * Changes with at least one visible item. Changes without effect are visible only to callers who see all
 * records.
 */
const changeInScope = (scope: RecordScope): Expression<SqlBool> =>
  seesAllRecords(scope)
    ? sql<SqlBool>`true`
    : sql<SqlBool>`exists (select from change_items where change_id = changes.id and ${itemInScope(scope)})`

/** Changes with their number of visible items. */
export const withItemCount = (db: Executor, scope: RecordScope) =>
  db
    .selectFrom('changes')
    .select(CHANGES)
    .select(
      sql<ChangeRow['actor_kind']>`(select account_kind from users where users.id = changes.actor_id)`.as(
        'actor_kind',
      ),
    )
    .select(
      sql<number>`(select count(*)::int from change_items where change_id = changes.id and ${itemInScope(scope)})`.as(
        'item_count',
      ),
    )
    .select((eb) =>
      eb
        .selectFrom('change_requests')
        .select('author_name')
        .whereRef('change_requests.id', '=', 'changes.change_request_id')
        .as('requested_by'),
    )

const ofDomain = (db: Executor, domainId: string, scope: RecordScope) =>
  withItemCount(db, scope).where('domain_id', '=', domainId).where(changeInScope(scope))

/** Filter of a domain's changes. */
export interface ChangeFilter {
  /** Names that the journal may have. */
  names?: string[]
  type?: string
  actor?: string
  token?: string
  origin?: Origin
  from?: Date
  to?: Date
  status?: ChangesTable['status'] | 'unconfirmed'
}

/** If both name and type are given, one visible side of an item must have both. */
function changeMatches(
  scope: RecordScope,
  { names, type, actor, token, origin, from, to, status }: ChangeFilter,
): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [sql<SqlBool>`true`]
  if (names !== undefined || type !== undefined) {
    const sides = (['before', 'after'] as const).map((side) => {
      const field = (name: string) => sql`(change_items.${sql.ref(side)} ->> ${sql.lit(name)})`
      return sql.join(
        [
          sql`${field('name')} is not null`,
          ...sideInScope(scope, side),
          ...(names ? [sql`${field('name')} = any(${names}::text[])`] : []),
          ...(type === undefined ? [] : [sql`${field('type')} = ${type}`]),
        ],
        sql` and `,
      )
    })
    conditions.push(sql<SqlBool>`exists (select from change_items
      where change_id = changes.id and ((${sql.join(sides, sql`) or (`)})))`)
  }
  if (actor !== undefined) {
    conditions.push(
      sql<SqlBool>`(changes.actor_name = ${actor.toLowerCase()} or changes.actor_id::text = ${actor.toLowerCase()})`,
    )
  }
  if (token !== undefined) {
    conditions.push(
      sql<SqlBool>`(changes.token_name = ${token} or changes.token_id::text = ${token.toLowerCase()})`,
    )
  }
  if (origin !== undefined) conditions.push(sql<SqlBool>`changes.origin = ${origin}`)
  if (from !== undefined) conditions.push(sql<SqlBool>`changes.created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql<SqlBool>`changes.created_at < ${to}`)
  if (status === 'unconfirmed') {
    conditions.push(sql<SqlBool>`exists (select from confirmations where change_id = changes.id
      and confirmations.status in ('waiting', 'unconfirmed', 'reverting'))`)
  } else if (status !== undefined) conditions.push(sql<SqlBool>`changes.status = ${status}`)
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

export const listChanges = (
  db: Executor,
  domainId: string,
  scope: RecordScope,
  filter: ChangeFilter,
  { limit, offset, after }: { limit: number; offset: number; after: Position | null },
): Promise<ChangeRow[]> =>
  ofDomain(db, domainId, scope)
    .where(changeMatches(scope, filter))
    .$if(after !== null, (query) => query.where(sql<SqlBool>`seq < ${after?.value}::bigint`))
    .orderBy('seq', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countChanges(
  db: Executor,
  domainId: string,
  scope: RecordScope,
  filter: ChangeFilter,
): Promise<number> {
  const row = await db
    .selectFrom('changes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('domain_id', '=', domainId)
    .where(changeInScope(scope))
    .where(changeMatches(scope, filter))
    .executeTakeFirstOrThrow()
  return row.count
}

export const findChange = (
  db: Executor,
  domainId: string,
  scope: RecordScope,
  id: string,
): Promise<ChangeRow | undefined> => ofDomain(db, domainId, scope).where('id', '=', id).executeTakeFirst()

/** Returns the first visible items of each change. */
export async function itemsOf(
  db: Executor,
  changeIds: string[],
  scope: RecordScope,
  each: number,
): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select items.* from unnest(${changeIds}::uuid[]) as wanted (id)
    join lateral (
      select ${ITEM} from change_items
      where change_id = wanted.id and ${itemInScope(scope)} order by position limit ${each}
    ) as items on true
  `.execute(db)
  return rows
}

/** The current record, in the form of the journal. */
export const CURRENT = sql<RecordContent | null>`case when records.id is null then null else jsonb_build_object(
  'name', records.name, 'type', records.type, 'value', records.value, 'ttl', records.ttl,
  'priority', records.priority, 'proxied', records.proxied,
  'enabled', records.enabled, 'comment', records.comment, 'routing', records.routing, 'extra', records.extra) end`

type ItemNow = Pick<ItemRow, 'record_id' | 'before' | 'after'> & { current: RecordContent | null }

/** Items of a change with that outcome, with the current state of their records. */
export async function itemsNow(db: Executor, changeId: string, outcome: 'applied' | 'failed') {
  const rows = await db
    .selectFrom('change_items')
    .leftJoin('records', 'records.id', 'change_items.record_id')
    .select(['record_id', contentIn('before').as('before'), contentIn('after').as('after')])
    .select(CURRENT.as('current'))
    .where('change_id', '=', changeId)
    .where('outcome', '=', outcome)
    .orderBy('position')
    .execute()
  return rows as ItemNow[]
}

/**
 * Returns each record that changed after the moment, as it was then (null: it did not exist) and as it is
 * now. All changes settled after the last one with an earlier time count as later, because the clock may have
 * been wrong for a while.
 */
export function statesAt(db: Executor, domainId: string, moment: Date) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('change_items')
        .innerJoin('changes', 'changes.id', 'change_items.change_id')
        .distinctOn('record_id')
        .select(['record_id', 'before'])
        .where('changes.domain_id', '=', domainId)
        .where('outcome', '=', 'applied')
        // These changed what the provider holds, not what is to be there.
        .where('changes.source', '<>', 'enforce')
        .where(SETTLED_ORDER, '>', lastSettledBy(domainId, moment))
        .orderBy('record_id')
        .orderBy(SETTLED_ORDER)
        .as('earliest'),
    )
    .leftJoin('records', 'records.id', 'earliest.record_id')
    .select(['earliest.record_id', contentIn('before').as('before'), CURRENT.as('current')])
    .execute()
}

/**
 * Whether the domain was switched to its provider at that moment or later, so that the provider's extra data
 * of that time is meaningless now.
 */
export const isSwitchedSince = (db: Executor, domainId: string, moment: Date): Promise<boolean> =>
  hasSwitch(db, domainId, sql<SqlBool>`${SETTLED_ORDER} > ${lastSettledBy(domainId, moment)}`)

/** Whether the domain was switched since that change began. */
export const isSwitchedSinceChange = (
  db: Executor,
  { domain_id, seq }: Pick<ChangeRow, 'domain_id' | 'seq'>,
): Promise<boolean> => hasSwitch(db, domain_id, sql<SqlBool>`seq >= ${seq}::bigint`)

async function hasSwitch(db: Executor, domainId: string, since: RawBuilder<SqlBool>): Promise<boolean> {
  const row = await db
    .selectFrom('changes')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('source', '=', 'switch')
    .where(since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Position of the last change settled by that moment. */
const lastSettledBy = (domainId: string, moment: Date) => sql`coalesce((
  select coalesce(earlier.settled_seq, earlier.seq) from changes as earlier
  where earlier.domain_id = ${domainId} and earlier.settled_at <= ${moment}
  order by coalesce(earlier.settled_seq, earlier.seq) desc limit 1
), 0)`
