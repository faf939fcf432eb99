import { sql, type Kysely } from 'kysely'

/** What is wrong with a domain, as of its last check. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table domain_health (
      domain_id uuid primary key references domains on delete cascade,
      due_at timestamptz not null default now(),
      checked_at timestamptz,
      not_checked jsonb not null default '[]',
      omitted jsonb not null default '[]',
      behind jsonb not null default '{}'
    )
  `.execute(db)
  await sql`create index domain_health_due on domain_health (due_at)`.execute(db)
  await sql`
    create table health_findings (
      domain_id uuid not null references domains on delete cascade,
      key text not null,
      code text not null,
      severity text not null check (severity in ('error', 'warning', 'info')),
      name text not null,
      type text,
      detail text not null,
      params jsonb not null,
      fix jsonb,
      since timestamptz not null default now(),
      primary key (domain_id, key)
    )
  `.execute(db)
  await sql`create index health_findings_code on health_findings (code)`.execute(db)
  await sql`create index health_findings_severity on health_findings (severity)`.execute(db)
}
