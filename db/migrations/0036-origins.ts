import { sql, type Kysely } from 'kysely'

/**
 * The origin and token of each action, and what ends with a session. No foreign key to the token: its name
 * and last characters stay after it is deleted. Null in older rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'alter table personal_tokens add column token_suffix text',

  `alter table audit add column origin text, add column token_id uuid, add column token_name text,
    add column token_suffix text`,
  'create index audit_token on audit (token_id, at desc) where token_id is not null',
  'create index audit_token_name on audit (token_name, at desc) where token_name is not null',
  'create index audit_origin on audit (origin, at desc) where origin is not null',

  `alter table changes add column origin text, add column token_id uuid, add column token_name text,
    add column token_suffix text, add column operation_id uuid`,
  'create index changes_operation on changes (operation_id) where operation_id is not null',

  'alter table operations add column origin text',

  'alter table acme_registrations add column session_id uuid references sessions on delete cascade',
  'create index acme_registrations_session on acme_registrations (session_id) where session_id is not null',
]
