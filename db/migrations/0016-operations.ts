import { sql, type Kysely } from 'kysely'

/** Large changes that continue after their request was answered; see modules/operations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // `change_id` refers to a change of the same domain, which is deleted with it.
  `create table operations (
    id uuid primary key,
    kind text not null,
    domain_id uuid not null references domains on delete cascade,
    user_id uuid not null references users on delete cascade,
    ip text,
    request_id text,
    sight text not null,
    input json,
    state text not null default 'waiting' check (state in ('waiting', 'running', 'finished')),
    outcome text check (outcome in ('succeeded', 'partly', 'failed')),
    tries integer not null default 0,
    holder uuid,
    change_id uuid,
    done integer not null default 0,
    total integer not null,
    result json,
    problem json,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz,
    check ((outcome is null) = (state <> 'finished'))
  )`,
  `create index on operations (user_id, id desc)`,
  `create index on operations (domain_id, id) where state <> 'finished'`,
  `create index on operations (finished_at) where state = 'finished'`,
]
