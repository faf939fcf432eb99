import { sql, type Kysely } from 'kysely'

/** Changes of unknown outcome are looked for several times at their provider; see modules/records/reconcile/settler. */
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
