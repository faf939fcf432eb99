import { sql, type Kysely } from 'kysely'

/** Sessions store the identity provider's sign-in they came from, so that a logout there can end them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const COLUMNS =
  'add column external_provider text, add column external_subject text, add column external_session text'

const STATEMENTS = [
  `alter table sessions ${COLUMNS}`,
  `alter table sign_in_challenges ${COLUMNS}`,
  'alter table oauth_tickets add column external_session text',
  'create index sessions_external on sessions (external_provider, external_subject) where external_provider is not null',
  'create index sessions_external_session on sessions (external_provider, external_session) where external_session is not null',
  `create table oauth_logout_tokens (
    provider_id text not null,
    hash bytea not null,
    expires_at timestamptz not null,
    primary key (provider_id, hash)
  )`,
]
