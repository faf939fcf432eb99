import { sql, type Kysely } from 'kysely'
import type { Contract } from './migration.ts'

/** Removes the job queue of versions up to 0.4. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop schema if exists pgboss cascade`.execute(db)
}

export const contract: Contract = { needs: '0045-scheduled-tasks', release: '0.5.0' }
