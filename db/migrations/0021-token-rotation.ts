import { sql, type Kysely } from 'kysely'

/** Tokens that were replaced, and tokens whose owner was reminded in time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table personal_tokens add column replaced_by uuid, add column reminded_at timestamptz
  `.execute(db)
  await sql`
    create index personal_tokens_ending on personal_tokens (expires_at) where expires_at is not null
  `.execute(db)
  await sql`
    create index personal_tokens_replaced on personal_tokens (replaced_by) where replaced_by is not null
  `.execute(db)
}
