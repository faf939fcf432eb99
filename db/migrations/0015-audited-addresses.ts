import { sql, type Kysely } from 'kysely'

/**
 * URLs with a user name or password were once accepted: those in the audit trail are masked, as such URLs are
 * wherever they are shown (see plugins/security/configured-addresses).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update audit set before = ${masked('before')}, after = ${masked('after')}
    where target_type in ('provider_config', 'oauth_provider', 'channel')
      and (before::text ~* ${USER_INFO} or after::text ~* ${USER_INFO})
  `.execute(db)
}

/** RFC 3986 section 3.2.1, to the last @ before the path, within one JSON string. */
const USER_INFO = '([a-z][a-z0-9+.-]*://)[^/?#"[:space:]]*@'

const masked = (column: string) =>
  sql`regexp_replace(${sql.ref(column)}::text, ${USER_INFO}, ${'\\1••••@'}, 'gi')::jsonb`
