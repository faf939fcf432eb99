import { sql, type Kysely } from 'kysely'

/** What happens to changes made at the provider, what an automatic sync found and left, and which changes tell of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table domains
      add column drift_policy text not null default 'adopt' check (drift_policy in ('adopt', 'alert', 'enforce')),
      add column drift_found_at timestamptz,
      add column drift jsonb,
      add column enforced_at timestamptz
  `.execute(db)
  await sql`create index domains_drifted on domains (id) where drift_found_at is not null`.execute(db)
  await sql`alter table changes add column changed_outside boolean not null default false`.execute(db)
}
