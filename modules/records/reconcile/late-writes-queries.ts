import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { Step } from '../plan/change.ts'
import { contentIn } from '../history/history-queries.ts'
import { AUTHOR_COLUMNS, type ChangeAuthor } from '../apply/journal/journal-actor.ts'

/** How long after a failure a late write of the provider is expected; later changes have another cause. */
const MAX_HOURS = 24

/** Items compared at a time. */
const MAX_ITEMS = 10_000

/** An item that counts as failed because it was not found at the provider, which never reported a failure. */
export interface UncertainItem extends Pick<Step, 'action' | 'before' | 'after'> {
  change_id: string
  position: number
  record_id: string
}

/**
 * Uncertain items of a domain, newest change first. Excludes items whose name and type a later change
 * touched, and those sent to a previous provider.
 */
export async function uncertainItems(db: Executor, domainId: string): Promise<UncertainItem[]> {
  const { rows } = await sql<UncertainItem>`
    select change_id, position, action, record_id, ${contentIn('before')} as before, ${contentIn('after')} as after
    from change_items join changes on changes.id = change_id
    where changes.domain_id = ${domainId} and changes.status in ('failed', 'partial')
      and changes.settled_at > now() - make_interval(hours => ${MAX_HOURS})
      and outcome = 'failed' and error_code in ('change_not_taken', 'change_neither')
      and not exists (
        select from changes as later join change_items as other on other.change_id = later.id
        where later.domain_id = ${domainId} and later.seq > changes.seq and other.outcome = 'applied'
          and other.name = change_items.name and other.type = change_items.type
      ) and not exists (
        select from changes as later
        where later.domain_id = ${domainId} and later.seq > changes.seq and later.source = 'switch'
      )
    order by changes.seq desc, position limit ${MAX_ITEMS}
  `.execute(db)
  return rows
}

/** A change that was corrected. */
export interface CorrectedChange extends ChangeAuthor {
  id: string
  source: ChangeSource
}

/**
 * Marks the items as applied, and updates the status of their changes. A change that was already partly
 * applied keeps its time.
 */
export async function markLateWrites(
  trx: Executor,
  items: readonly Pick<UncertainItem, 'change_id' | 'position'>[],
): Promise<CorrectedChange[]> {
  const { rows } = await sql<CorrectedChange>`
    with landed as (
      update change_items as item set outcome = 'applied', error = null, error_code = null
      from unnest(
        ${items.map((item) => item.change_id)}::uuid[], ${items.map((item) => item.position)}::int[]
      ) as late (change_id, position)
      where item.change_id = late.change_id and item.position = late.position and item.outcome = 'failed'
      returning item.change_id
    ), tally as (
      select change_id, count(*) filter (where outcome = 'applied') as applied,
        count(*) filter (where outcome = 'failed')
          - (select count(*) from landed where landed.change_id = item.change_id) as failed
      from change_items as item where change_id in (select change_id from landed) group by change_id
    )
    update changes set
      status = case when tally.failed = 0 then 'applied' else 'partial' end,
      settled_at = case when tally.applied = 0 then now() else settled_at end,
      settled_seq = case when tally.applied = 0 then nextval('change_order') else settled_seq end,
      look_again = look_again and tally.failed > 0
    from tally where changes.id = tally.change_id
    returning changes.id, source, ${sql.raw(AUTHOR_COLUMNS.join(', '))}
  `.execute(trx)
  return rows
}
