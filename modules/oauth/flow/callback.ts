import { violates } from '../../../db/connection/errors.ts'
import type { Actor } from '../../../plugins/security/access/index.ts'
import { recordAudit } from '../../audit/service.ts'
import { findUserByEmail, findUserById } from '../../users/service.ts'
import { addExternalAccount, profileOf } from '../accounts.ts'
import { bindReturned } from '../bindings.ts'
import type { OAuthContext } from '../context.ts'
import { insertPending, insertTicket } from './flow-queries.ts'
import { endFlow, randomToken, httpAccessOf, type TakenFlow } from './flow.ts'
import { IdentityError } from '../errors.ts'
import { failure, type Outcome } from './outcome.ts'
import type { ExternalIdentity, ProviderId } from '../identity-providers/contract.ts'
import { identityProvider } from '../identity-providers/registry.ts'
import { findEnabledProvider, findIdentity, updateIdentity } from '../queries.ts'
import { settingsOf } from '../administration/settings.ts'
import { proposeUsername } from '../usernames.ts'

const TICKET_SECONDS = 60
const PENDING_SECONDS = 15 * 60

/** Attempts to create an account if a concurrent request takes its name or identity. */
const MAX_TRIES = 3

interface Returned {
  /** From the path; null: the state names it, among those that share the address. */
  providerId: ProviderId | null
  query: URLSearchParams
  cookie: string | undefined
}

/** Ends a flow: every callback has one of the documented outcomes. */
export async function finishFlow(context: OAuthContext, actor: Actor, returned: Returned): Promise<Outcome> {
  const flow = await takeReturned(context, returned)
  const outcome = flow ? await identified(context, actor, flow, returned) : failure('state_invalid')
  if (outcome.kind === 'failure') {
    const providerId = flow?.providerId ?? returned.providerId
    await recordAudit(context.db, actor, {
      action: flow?.binder ? 'user.identity_bind_failed' : 'auth.external_failed',
      target: { type: 'oauth_provider', id: null, name: providerId },
      after: { reason: outcome.reason },
    })
  }
  return outcome
}

async function takeReturned(
  context: OAuthContext,
  { providerId, query, cookie }: Returned,
): Promise<TakenFlow | null> {
  const [state, ...more] = query.getAll('state')
  if (state === undefined || more.length > 0) return null
  const flow = await endFlow(context, state, cookie)
  if (!flow) return null
  const fits =
    providerId === null ? ['oidc', 'custom'].includes(flow.providerId) : flow.providerId === providerId
  return fits ? flow : null
}

async function identified(
  context: OAuthContext,
  actor: Actor,
  { providerId, flow, binder }: TakenFlow,
  { query, cookie }: Returned,
): Promise<Outcome> {
  const row = await findEnabledProvider(context.db, providerId)
  if (!row) return failure('provider_disabled')
  let identity: ExternalIdentity
  try {
    const settings = settingsOf(row, context.secrets)
    identity = await identityProvider(providerId).identify(settings, flow, query, httpAccessOf(context))
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error
    if (error.kind === 'denied') return failure('access_denied')
    // Our own text only: the error's causes may contain the provider's answer, and stay out of the log.
    context.log.warn({ provider: providerId, reason: error.message }, 'external sign-in failed')
    return failure('provider_error')
  }
  if (binder) return bindReturned(context, actor, providerId, identity, binder)
  return signIn(context, actor, providerId, identity, context.secrets.digest(cookie ?? ''))
}

async function signIn(
  context: OAuthContext,
  actor: Actor,
  providerId: ProviderId,
  identity: ExternalIdentity,
  cookieHash: Buffer,
): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await signInOnce(context, actor, providerId, identity, cookieHash)
    } catch (error) {
      if (tries === MAX_TRIES || !violates(error, 'unique')) throw error
    }
  }
}

async function signInOnce(
  context: OAuthContext,
  actor: Actor,
  providerId: ProviderId,
  identity: ExternalIdentity,
  cookieHash: Buffer,
): Promise<Outcome> {
  const { db, installation } = context
  // The address first: if a concurrent request creates this account, its identity is checked next.
  const namesake = identity.email === null ? undefined : await findUserByEmail(db, identity.email)
  const known = await findIdentity(db, providerId, identity.subject)
  if (known) {
    const user = await findUserById(db, known.user_id)
    if (!user || user.disabled_at !== null) return failure('account_disabled')
    await updateIdentity(db, known.id, profileOf(identity))
    return { kind: 'ticket', ticket: await issueTicket(context, known.id, identity.session, cookieHash) }
  }
  // An equal address proves nothing about the account: its owner signs in and links the identity.
  if (namesake) return failure('email_taken')
  if (installation.registration === 'closed') return failure('registration_closed')
  if (installation.registration === 'invite') {
    const token = await issuePending(context, providerId, identity, cookieHash)
    return { kind: 'pending', token, providerId }
  }
  await db.transaction().execute(async (trx) => {
    const username = await proposeUsername(trx, identity)
    await addExternalAccount(trx, actor, providerId, identity, { username, invitation: null })
  })
  return signInOnce(context, actor, providerId, identity, cookieHash)
}

async function issueTicket(
  { db, secrets }: OAuthContext,
  identityId: string,
  session: string | null,
  cookieHash: Buffer,
) {
  const ticket = randomToken()
  const row = {
    hash: secrets.digest(ticket),
    identity_id: identityId,
    external_session: session,
    cookie_hash: cookieHash,
  }
  await insertTicket(db, row, TICKET_SECONDS)
  return ticket
}

async function issuePending(
  { db, secrets }: OAuthContext,
  providerId: ProviderId,
  identity: ExternalIdentity,
  cookieHash: Buffer,
) {
  const token = randomToken()
  const row = {
    hash: secrets.digest(token),
    provider_id: providerId,
    cookie_hash: cookieHash,
    identity: JSON.stringify(identity),
  }
  await insertPending(db, row, PENDING_SECONDS)
  return token
}
