import { sql, type Kysely } from 'kysely'

/** Months of the history and the audit log that were exported to files, in parts, and then deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table archives (
      kind text not null check (kind in ('history', 'audit')),
      month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
      part integer not null,
      rows bigint,
      begun_at timestamptz not null default now(),
      written_at timestamptz,
      finished_at timestamptz,
      primary key (kind, month, part)
    )
  `.execute(db)
  await sql`create index archives_unfinished on archives (kind, month, part) where finished_at is null`.execute(
    db,
  )
}
