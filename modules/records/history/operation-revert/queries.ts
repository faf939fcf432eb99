import { sql } from 'kysely'
import type { Executor } from '../../../../db/connection/connect.ts'
import type { RecordContent } from '../../plan/change.ts'
import { contentIn, CURRENT } from '../history-queries.ts'
import { SETTLED_ORDER } from '../../list/queries.ts'

/** What an operation did to one record. */
export interface DoneItem {
  domain_id: string
  record_id: string
  before: RecordContent | null
  after: RecordContent | null
  /** Current name of the record; null: it was deleted. */
  current_name: string | null
}

/** What an operation did in one domain. */
export interface DoneDomain {
  domain_id: string
  /** A part of it is still pending. */
  is_unsettled: boolean
  /**
   * The domain was switched to its provider since, so the provider's extra data of that time is meaningless
   * now.
   */
  is_switched: boolean
}

/** A record that something else changed since, at a name that the operation changed. */
export interface ChangedRecord {
  domain_id: string
  record_id: string
  /** As the operation left it. */
  before: RecordContent | null
  current: RecordContent | null
}

/** Changes of the operation; those of older versions are found through its plan. */
const changesOf = (operationId: string) => sql`(
  select id from changes where operation_id = ${operationId}
  union select change_id from operations where id = ${operationId} and change_id is not null
  union select change_id from planned_domains join domains_plans on domains_plans.id = plan_id
    where domains_plans.operation_id = ${operationId} and change_id is not null
)`

export async function findDoneDomains(db: Executor, operationId: string): Promise<DoneDomain[]> {
  const { rows } = await sql<DoneDomain>`
    with done as (
      select domain_id, bool_or(status = 'pending') as is_unsettled, min(seq) as seq
      from changes where id in ${changesOf(operationId)} group by domain_id
    )
    select domain_id, is_unsettled, exists (
      select from changes where changes.domain_id = done.domain_id and source = 'switch' and changes.seq >= done.seq
    ) as is_switched
    from done
  `.execute(db)
  return rows
}

/** Applied items of the operation in these domains, in order. */
export async function findDoneItems(
  db: Executor,
  operationId: string,
  domainIds: readonly string[],
): Promise<DoneItem[]> {
  const { rows } = await sql<DoneItem>`
    select changes.domain_id, record_id, ${contentIn('before')} as before, ${contentIn('after')} as after,
      records.name as current_name
    from changes join change_items on change_items.change_id = changes.id
    left join records on records.id = record_id
    where changes.id in ${changesOf(operationId)} and changes.domain_id = any(${domainIds}::uuid[])
      and outcome = 'applied'
    order by seq, position
  `.execute(db)
  return rows
}

/** Returns records of these domains that were changed after the operation, at names that it changed. */
export async function findChangedSince(
  db: Executor,
  operationId: string,
  domainIds: readonly string[],
): Promise<ChangedRecord[]> {
  const nameIn = (side: 'before' | 'after') => sql`(change_items.${sql.ref(side)} ->> 'name')`
  const { rows } = await sql<ChangedRecord>`
    with done as (
      select id, domain_id, ${SETTLED_ORDER} as settled from changes
      where id in ${changesOf(operationId)} and domain_id = any(${domainIds}::uuid[])
    ), place as (
      select distinct done.domain_id, side.name from done join change_items on change_id = done.id,
        lateral (values (${nameIn('before')}), (${nameIn('after')})) as side (name)
      where outcome = 'applied' and side.name is not null
    ), earliest as (
      select distinct on (record_id) changes.domain_id, record_id, before
      from (select domain_id, max(settled) as settled from done group by domain_id) as last
      join changes on changes.domain_id = last.domain_id and ${SETTLED_ORDER} > last.settled
      join change_items on change_id = changes.id
      left join place as place_before
        on place_before.domain_id = changes.domain_id and place_before.name = ${nameIn('before')}
      left join place as place_after
        on place_after.domain_id = changes.domain_id and place_after.name = ${nameIn('after')}
      where outcome = 'applied' and (place_before.name is not null or place_after.name is not null)
      order by record_id, ${SETTLED_ORDER}
    )
    select earliest.domain_id, record_id, ${contentIn('before')} as before, ${CURRENT} as current
    from earliest left join records on records.id = record_id
  `.execute(db)
  return rows
}
