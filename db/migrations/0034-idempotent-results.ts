import { sql, type Kysely } from 'kysely'

/**
 * The result of a request with an Idempotency-Key is stored with its work, and the key of a dead instance is
 * released soon. Older versions still running claim a key for as long as they did.
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
  // An applied plan stays until it expires, so that a repeated request gets the same change.
  `alter table kept_plans add column change_id uuid, add column operation_id uuid`,
]
