import { sql, type Kysely } from 'kysely'
import type { Step } from './migration.ts'
import { createIndex, validateConstraint } from './steps.ts'

/** What happens to changes made at the provider, what an automatic sync found and left, and which changes tell of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table domains
      add column drift_policy text not null default 'adopt',
      add column drift_found_at timestamptz,
      add column drift jsonb,
      add column enforced_at timestamptz,
      add constraint domains_drift_policy_check check (drift_policy in ('adopt', 'alert', 'enforce')) not valid
  `.execute(db)
  await sql`alter table changes add column changed_outside boolean not null default false`.execute(db)
}

export const steps: readonly Step[] = [
  validateConstraint('domains', 'domains_drift_policy_check'),
  createIndex('domains_drifted', 'domains (id) where drift_found_at is not null'),
]
