import { sql, type Insertable } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { inSeconds } from '../../../db/expressions.ts'
import type {
  OAuthFlowsTable,
  OAuthPendingTable,
  OAuthProviderId,
  OAuthTicketsTable,
} from '../../../db/tables/index.ts'

/*
 * One-time tokens. Each is taken by one statement, so that one of several concurrent requests gets it, and
 * only by the browser with the cookie; attempts by others don't use it up.
 */

export const insertFlow = (
  db: Executor,
  flow: Omit<Insertable<OAuthFlowsTable>, 'expires_at'>,
  seconds: number,
) =>
  db
    .insertInto('oauth_flows')
    .values({ ...flow, expires_at: inSeconds(seconds) })
    .execute()

export const takeFlow = (db: Executor, hash: Buffer, cookieHash: Buffer) =>
  db
    .deleteFrom('oauth_flows')
    .where('hash', '=', hash)
    .where('cookie_hash', '=', cookieHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['provider_id', 'user_id', 'session_id', 'secrets'])
    .executeTakeFirst()

export const insertTicket = (
  db: Executor,
  ticket: Omit<Insertable<OAuthTicketsTable>, 'expires_at'>,
  seconds: number,
) =>
  db
    .insertInto('oauth_tickets')
    .values({ ...ticket, expires_at: inSeconds(seconds) })
    .execute()

export const takeTicket = (db: Executor, hash: Buffer, cookieHash: Buffer) =>
  db
    .deleteFrom('oauth_tickets')
    .where('hash', '=', hash)
    .where('cookie_hash', '=', cookieHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['identity_id', 'external_session'])
    .executeTakeFirst()

/** Returns the owner of an identity if its provider is enabled. */
export const findTicketHolder = (db: Executor, identityId: string) =>
  db
    .selectFrom('oauth_identities')
    .innerJoin('oauth_providers', 'oauth_providers.provider_id', 'oauth_identities.provider_id')
    .select(['oauth_identities.user_id', 'oauth_identities.provider_id', 'oauth_identities.subject'])
    .where('oauth_identities.id', '=', identityId)
    .where('oauth_providers.enabled', '=', true)
    .executeTakeFirst()

export const insertPending = (
  db: Executor,
  pending: Omit<Insertable<OAuthPendingTable>, 'expires_at'>,
  seconds: number,
) =>
  db
    .insertInto('oauth_pending')
    .values({ ...pending, expires_at: inSeconds(seconds) })
    .execute()

export const takePending = (db: Executor, hash: Buffer, cookieHash: Buffer, providerId: OAuthProviderId) =>
  db
    .deleteFrom('oauth_pending')
    .where('hash', '=', hash)
    .where('cookie_hash', '=', cookieHash)
    .where('provider_id', '=', providerId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('identity')
    .executeTakeFirst()

export async function deleteExpiredFlows(db: Executor): Promise<void> {
  for (const table of ['oauth_flows', 'oauth_tickets', 'oauth_pending', 'oauth_logout_tokens'] as const) {
    await db
      .deleteFrom(table)
      .where('expires_at', '<', sql<Date>`now()`)
      .execute()
  }
}
