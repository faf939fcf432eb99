import { sql, type Kysely } from 'kysely'

/**
 * Large changes that a personal token asks for. No reference: an operation must keep the id of a token that is
 * revoked, as without one it would have all rights of its user.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations add column token_id uuid`.execute(db)
}
