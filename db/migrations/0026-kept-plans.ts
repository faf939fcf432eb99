import { sql, type Kysely } from 'kysely'

/** Plans that were shown and can be applied by their id; see modules/records/kept-plans. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table kept_plans (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    token_id uuid references personal_tokens on delete cascade,
    kind text not null,
    domain_id uuid references domains on delete cascade,
    body json not null,
    shown json not null,
    bytes integer not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  `create index on kept_plans (user_id, created_at desc, id desc)`,
  `create index on kept_plans (token_id) where token_id is not null`,
  `create index on kept_plans (domain_id) where domain_id is not null`,
  `create index on kept_plans (expires_at)`,
]
