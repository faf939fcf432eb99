import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { inSeconds } from '../../../db/expressions.ts'
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
      expires_at: inSeconds(seconds),
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
const ended = ({ subject, session }: ExternalLogout) => sql<SqlBool>`(
  external_session = ${session}
    and (${subject}::text is null or external_subject = ${subject})
  or external_subject = ${subject} and (${session}::text is null or external_session is null)
)`

/** Ends sign-ins without a session yet: tickets, and pending second factors. */
export const deletePendingSignIns = (db: Executor, providerId: OAuthProviderId, logout: ExternalLogout) =>
  db
    .with('challenges', (cte) =>
      cte.deleteFrom('sign_in_challenges').where('external_provider', '=', providerId).where(ended(logout)),
    )
    .with('tickets', (cte) =>
      cte
        .selectFrom('oauth_tickets')
        .innerJoin('oauth_identities', 'oauth_identities.id', 'identity_id')
        .select(['hash', 'oauth_tickets.external_session', 'oauth_identities.subject as external_subject'])
        .where('oauth_identities.provider_id', '=', providerId),
    )
    .deleteFrom('oauth_tickets')
    .where('hash', 'in', (eb) => eb.selectFrom('tickets').select('hash').where(ended(logout)))
    .execute()

/** Ends the sessions, and returns their users. */
export function deleteExternalSessions(db: Executor, providerId: OAuthProviderId, logout: ExternalLogout) {
  return db
    .deleteFrom('sessions')
    .using('users')
    .whereRef('users.id', '=', 'user_id')
    .where('external_provider', '=', providerId)
    .where(ended(logout))
    .returning(['sessions.id', 'user_id', 'username'])
    .execute()
}
