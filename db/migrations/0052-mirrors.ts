import { sql, type Kysely } from 'kysely'

/**
 * Further zones that follow a domain, and the changes that each has not got yet. `change_order` numbers the changes; one
 * without `change_id` brings over the whole zone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table mirrors (
    id uuid primary key,
    domain_id uuid not null references domains on delete cascade,
    provider_config_id uuid not null references provider_configs,
    zone_id text not null,
    zone_ttl integer,
    name_servers text[] not null default '{}',
    findings jsonb not null default '[]',
    more_findings integer not null default 0,
    lacks boolean not null default false,
    differences integer,
    compared_at timestamptz,
    error text,
    error_code text,
    failed boolean not null default false,
    tries integer not null default 0,
    due_at timestamptz not null default now(),
    announced text check (announced in ('behind', 'failed', 'differs')),
    applied_at timestamptz,
    created_at timestamptz not null default now(),
    unique (provider_config_id, zone_id)
  )`,
  'create index mirrors_domain on mirrors (domain_id, id)',
  `create table mirror_changes (
    mirror_id uuid not null references mirrors on delete cascade,
    seq bigint not null default nextval('change_order'),
    change_id uuid,
    positions integer[],
    deletes integer not null default 0,
    queued_at timestamptz not null default now(),
    primary key (mirror_id, seq)
  )`,
]
