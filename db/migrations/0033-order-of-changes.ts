import { sql, type Kysely } from 'kysely'

/**
 * Orders changes by a sequence instead of the clock, because a clock that was briefly ahead would misorder
 * them. `seq` is the order in which changes started, `settled_seq` that in which they were settled; older
 * versions of the service don't write `settled_seq`, and `seq` is used instead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'create sequence change_order',
  'alter table changes add column seq bigint, add column settled_seq bigint',
  `update changes set seq = ordered.seq, settled_seq = case when settled_at is null then null else ordered.settled_seq end
    from (
      select id, row_number() over (order by created_at, id) as seq,
        row_number() over (order by settled_at nulls last, id) as settled_seq
      from changes
    ) as ordered
    where changes.id = ordered.id`,
  `select setval('change_order', (select count(*) + 1 from changes))`,
  `alter table changes alter column seq set default nextval('change_order'), alter column seq set not null`,
  'create index changes_order on changes (domain_id, seq desc)',
  'create index changes_settled_order on changes (domain_id, (coalesce(settled_seq, seq)) desc)',
  `create index changes_not_applied on changes (domain_id, settled_at) where status in ('failed', 'partial')`,
  'drop index changes_domain',
  'drop index changes_settled',
]
