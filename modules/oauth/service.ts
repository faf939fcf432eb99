import { recordAudit } from '../audit/service.ts'
import { forbidden, invalid } from '../../plugins/http/errors.ts'
import {
  actorOf,
  completeSignIn,
  finishSignIn,
  type SecondFactorNeeded,
  type SignedIn,
  type SignInClient,
} from '../auth/sign-in.ts'
import { takenOr } from '../users/accounts.ts'
import { redeemInvitation } from '../users/invitations/service.ts'
import { findUserById } from '../users/service.ts'
import { addExternalAccount } from './accounts.ts'
import type { OAuthContext } from './context.ts'
import { IdentityError, pendingRefused, providerNotEnabled, ticketRefused } from './errors.ts'
import { findTicketHolder, takePending, takeTicket } from './flow/flow-queries.ts'
import { beginFlow } from './flow/flow.ts'
import { toPublicProvider } from './administration/mapper.ts'
import { failure, landing } from './flow/outcome.ts'
import type { ProviderId } from './identity-providers/contract.ts'
import { findEnabledProvider, listEnabledProviders } from './queries.ts'
import { redirectUrlOf } from './administration/settings.ts'
import { proposeUsername } from './usernames.ts'

export async function listPublicProviders({ db }: OAuthContext) {
  return { providers: (await listEnabledProviders(db)).map(toPublicProvider) }
}

/** Returns the addresses to register at the provider, also before it is configured. */
export function callbackAddresses(
  { installation }: Pick<OAuthContext, 'installation'>,
  providerId: ProviderId,
) {
  const redirectUrl = redirectUrlOf(installation, providerId)
  return {
    providerId,
    homepageUrl: installation.url,
    redirectUrl,
    siteUrl: installation.url,
    callbackUrl: redirectUrl,
  }
}

/** Returns the redirect target to sign in: the provider, or the site with an error. */
export async function startSignIn(
  context: OAuthContext,
  providerId: ProviderId,
  cookie: string,
): Promise<string> {
  const row = await findEnabledProvider(context.db, providerId)
  if (!row) return landing(context.installation, failure('provider_disabled'))
  try {
    return (await beginFlow(context, row, cookie, null)).href
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error
    context.log.warn({ provider: providerId, reason: error.message }, 'external sign-in could not start')
    return landing(context.installation, failure('provider_error'))
  }
}

/** Exchanges a ticket for a session or the second step of a sign-in. Works once, for one browser. */
export async function exchangeTicket(
  context: OAuthContext,
  client: SignInClient,
  ticket: string,
  cookie: string | undefined,
): Promise<SignedIn | SecondFactorNeeded> {
  const { db, secrets } = context
  // Taken first: it is used up even if the sign-in fails.
  const taken = cookie && (await takeTicket(db, secrets.digest(ticket), secrets.digest(cookie)))
  const holder = taken ? await findTicketHolder(db, taken.identity_id) : undefined
  const user = holder && (await findUserById(db, holder.user_id))
  if (!taken || !user || user.disabled_at !== null) {
    await recordAudit(db, actorOf(client, { username: user?.username ?? '' }), {
      action: 'auth.external_failed',
      target: { type: 'user', id: user?.id ?? null, name: user?.username ?? null },
      after: { reason: user ? 'account_disabled' : 'ticket_invalid' },
    })
    throw ticketRefused()
  }
  const { provider_id: providerId, subject } = holder
  const external = { providerId, subject, session: taken.external_session }
  return context.db
    .transaction()
    .execute((trx) => finishSignIn(context, trx, user, { ...client, external }, `oauth:${providerId}`))
}

interface ExternalRegistration {
  pendingToken: string
  inviteCode: string | undefined
  /** Undefined: similar to the name at the provider. */
  username: string | undefined
}

/**
 * Creates the account of an externally identified user with an invitation. Pending token, use of the
 * invitation, account and link change together or not at all: after a mistyped code, the token is still
 * valid.
 */
export async function registerExternally(
  context: OAuthContext,
  client: SignInClient,
  providerId: ProviderId,
  { pendingToken, inviteCode, username }: ExternalRegistration,
  cookie: string | undefined,
): Promise<SignedIn> {
  const { db, secrets, installation } = context
  if (installation.registration === 'closed') throw forbidden('Registration is closed on this service')
  if (inviteCode === undefined && installation.registration === 'invite') {
    throw invalid({ path: '/inviteCode', code: 'required', message: 'is required' })
  }
  if (!(await findEnabledProvider(db, providerId))) throw providerNotEnabled(providerId)
  if (cookie === undefined) throw pendingRefused()
  const hashes = [secrets.digest(pendingToken), secrets.digest(cookie)] as const
  return db
    .transaction()
    .execute(async (trx) => {
      const pending = await takePending(trx, ...hashes, providerId)
      if (!pending) throw pendingRefused()
      const identity = pending.identity
      const invitation = inviteCode === undefined ? null : await redeemInvitation(trx, secrets, inviteCode)
      const name = username?.toLowerCase() ?? (await proposeUsername(trx, identity))
      const as = { username: name, invitation }
      const user = await addExternalAccount(trx, actorOf(client), providerId, identity, as)
      // A token from before an upgrade has no session.
      const external = { providerId, subject: identity.subject, session: identity.session ?? null }
      // A new account has no second factor.
      return completeSignIn(context, trx, user, { ...client, external }, [`oauth:${providerId}`])
    })
    .catch(async (error: unknown) => {
      // Recorded, so that guessing is visible.
      await recordAudit(db, actorOf(client, { username: username ?? '' }), {
        action: 'auth.register_failed',
        target: { type: 'user', id: null, name: username || null },
        after: { providerId },
      })
      throw takenOr(error)
    })
}
