import { sql, type Kysely } from 'kysely'

/** Plans that undo an operation. No reference: an operation is forgotten before the plan that undid it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains_plans add column undoes_operation_id uuid`.execute(db)
}
