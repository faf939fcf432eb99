import { sql, type Kysely } from 'kysely'

/** Scheduled tasks, see plugins/work; instances up to 0.4 use a job queue, which 0054-no-job-queue removes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scheduled_tasks (
      name text primary key,
      period_seconds integer not null,
      due_at timestamptz not null,
      holder uuid
    )
  `.execute(db)
}
