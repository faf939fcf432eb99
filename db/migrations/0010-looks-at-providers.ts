import { sql, type Kysely } from 'kysely'

/** Changes with an unknown outcome are checked at the provider several times; see modules/records/reconcile/reconciler. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `alter table changes
    add column unknown_since timestamptz,
    add column looks integer not null default 0,
    add column look_again boolean not null default false`,
  `create index changes_due on changes (lease_until) where status = 'pending' or look_again`,
  'drop index changes_pending',
]
