import { sql, type Selectable } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangesTable } from '../../../db/tables/index.ts'
import type { RecordContent } from '../plan/change.ts'
import { contentIn, CURRENT } from './history-queries.ts'
import { SETTLED_ORDER } from '../list/queries.ts'

/** A name and type; all its records in a domain are one RRset. */
export type SetPlace = Pick<RecordContent, 'name' | 'type'>

const isIn = (name: ReturnType<typeof sql>, type: ReturnType<typeof sql>) =>
  sql`(${name}, ${type}) in (select name, type from sets)`
const sideIsIn = (side: 'before' | 'after') =>
  isIn(sql`change_items.${sql.ref(side)} ->> 'name'`, sql`change_items.${sql.ref(side)} ->> 'type'`)

/**
 * Returns the records of RRsets at the time a change was settled, without its own: unchanged ones as they
 * are, and those that later changes touched as they were before. For a pending change, as they are now. At
 * most `limit`.
 */
export async function siblingsThen(
  db: Executor,
  { id, domain_id, settled_at, settled_seq, seq }: Selectable<ChangesTable>,
  sets: SetPlace[],
  limit: number,
): Promise<RecordContent[]> {
  const place = sql`${settled_seq ?? seq}::bigint`
  const isLater = settled_at === null ? sql`false` : sql`${SETTLED_ORDER} > ${place}`
  const { rows } = await sql<{ content: RecordContent }>`
    with sets as (
      select * from unnest(${sets.map(({ name }) => name)}::text[], ${sets.map(({ type }) => type)}::text[])
        as sets (name, type)
    ),
    later as (
      select distinct on (record_id) record_id, before from change_items
      join changes on changes.id = change_items.change_id
      where changes.domain_id = ${domain_id} and ${isLater} and outcome = 'applied' and source <> 'enforce'
        and (${sideIsIn('before')} or ${sideIsIn('after')})
      order by record_id, ${SETTLED_ORDER}
    ),
    own as (select record_id from change_items where change_id = ${id})
    select content from (
      select record_id, ${contentIn('before')} as content from later
      where ${isIn(sql`before ->> 'name'`, sql`before ->> 'type'`)}
      union all
      select id, current from (
        select records.id, ${CURRENT} as current from records
        where domain_id = ${domain_id} and ${isIn(sql`records.name`, sql`records.type`)}
          and not exists (select from later where record_id = records.id)
          and not exists (
            select from name_locks join change_items as item using (change_id)
            where name_locks.domain_id = ${domain_id} and name_locks.name = records.name
              and item.record_id = records.id and item.action = 'create' and item.outcome = 'pending'
          )
      ) as still
    ) as siblings (record_id, content)
    where not exists (select from own where own.record_id = siblings.record_id)
    order by content ->> 'name', content ->> 'type', content ->> 'value'
    limit ${limit}
  `.execute(db)
  return rows.map(({ content }) => content)
}
