import { sql, type Kysely } from 'kysely'

/** Scheduled tasks, see plugins/work; the job queue of earlier versions and its schema are no longer used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scheduled_tasks (
      name text primary key,
      period_seconds integer not null,
      due_at timestamptz not null,
      holder uuid
    )
  `.execute(db)
  await sql`drop schema if exists pgboss cascade`.execute(db)
}
