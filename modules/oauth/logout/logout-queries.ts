import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { OAuthProviderId } from '../../../db/tables/index.ts'
import type { ExternalLogout } from '../identity-providers/contract.ts'

/**
 * Marks a logout token as used. Returns false if it was already used; one of several concurrent requests
 * counts.
 */
export async function useLogoutToken(
  db: Executor,
  providerId: OAuthProviderId,
  hash: Buffer,
  seconds: number,
): Promise<boolean> {
  const row = await db
    .insertInto('oauth_logout_tokens')
    .values({
      provider_id: providerId,
      hash,
      expires_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .onConflict((conflict) => conflict.columns(['provider_id', 'hash']).doNothing())
    .returning('provider_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the affected sign-ins: those of the named session, otherwise all of the subject. A sign-in with an
 * unknown session ends with its subject.
 */
const ended = ({ subject, session }: ExternalLogout) => sql`(
  external_session = ${session}
    and (${subject}::text is null or external_subject = ${subject})
  or external_subject = ${subject} and (${session}::text is null or external_session is null)
)`

/** Ends sign-ins without a session yet: tickets, and pending second factors. */
export const deletePendingSignIns = (db: Executor, providerId: OAuthProviderId, logout: ExternalLogout) =>
  sql`
    with challenges as (
      delete from sign_in_challenges where external_provider = ${providerId} and ${ended(logout)}
    )
    delete from oauth_tickets where hash in (
      select hash from (
        select hash, oauth_tickets.external_session, oauth_identities.subject as external_subject
        from oauth_tickets join oauth_identities on oauth_identities.id = identity_id
        where provider_id = ${providerId}
      ) as tickets where ${ended(logout)}
    )
  `.execute(db)

/** Ends the sessions, and returns their users. */
export async function deleteExternalSessions(
  db: Executor,
  providerId: OAuthProviderId,
  logout: ExternalLogout,
) {
  const { rows } = await sql<{ id: string; user_id: string; username: string }>`
    delete from sessions using users
    where users.id = user_id and external_provider = ${providerId} and ${ended(logout)}
    returning sessions.id, user_id, username
  `.execute(db)
  return rows
}
