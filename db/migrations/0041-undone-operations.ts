import { sql, type Kysely } from 'kysely'

/**
 * Plans that revert an operation. No foreign key: an operation is deleted before the plan that reverted it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains_plans add column undoes_operation_id uuid`.execute(db)
}
