import { sql, type Kysely } from 'kysely'

/**
 * Large changes requested with a personal token. No foreign key: an operation must keep the id of a revoked
 * token, since without one it would have all rights of its user.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations add column token_id uuid`.execute(db)
}
