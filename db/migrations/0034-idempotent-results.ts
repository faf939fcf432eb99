import { sql, type Kysely } from 'kysely'

/**
 * What a request with an Idempotency-Key has done is stored with its work, and a key whose instance died is free soon after.
 * An older version that still runs claims a key for as long as it did.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `alter table idempotency_keys
    add column claim uuid,
    add column lease_until timestamptz not null default now() + interval '120 seconds',
    add column done_parts jsonb not null default '{}',
    add column rests_on json not null default '[]'`,
  `create index idempotency_keys_claim on idempotency_keys (claim) where claim is not null`,
  // A plan that was applied stays until it is over, so that a repeat is told by which change.
  `alter table kept_plans add column change_id uuid, add column operation_id uuid`,
]
