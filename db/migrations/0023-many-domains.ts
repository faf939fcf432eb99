import { sql, type Kysely } from 'kysely'

/**
 * Plans over many domains with their results, operations that apply them, and templates; see
 * modules/records/bulk and modules/templates.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'alter table operations alter column domain_id drop not null',

  // Deleted with the token that made it, so that its plans are never applied with more rights than the token
  // had.
  `create table domains_plans (
    id uuid primary key,
    kind text not null,
    user_id uuid not null references users on delete cascade,
    token_id uuid references personal_tokens on delete cascade,
    totals json not null,
    operation_id uuid,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index on domains_plans (user_id)',
  'create index on domains_plans (token_id) where token_id is not null',
  'create index on domains_plans (expires_at)',

  `create table planned_domains (
    plan_id uuid not null references domains_plans on delete cascade,
    position integer not null,
    domain_id uuid not null references domains on delete cascade,
    sight text not null,
    records_version integer not null,
    provider_config_id uuid not null,
    requests json not null,
    steps integer not null,
    shown json not null,
    change_id uuid,
    outcome text,
    problem json,
    primary key (plan_id, position)
  )`,
  'create index on planned_domains (domain_id)',

  `create table templates (
    id uuid primary key,
    name text not null,
    description text not null,
    owner_id uuid not null references users on delete cascade,
    shared boolean not null,
    variables json not null,
    records json not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  'create index on templates (owner_id)',
  'create index on templates (name, id) where shared',
]
