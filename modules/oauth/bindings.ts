import { violates } from '../../db/connection/errors.ts'
import { findLackingFactor, type Actor, type Caller } from '../../plugins/security/access/index.ts'
import { notFound } from '../../plugins/http/errors.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { Executor } from '../../db/connection/connect.ts'
import { recordAudit } from '../audit/service.ts'
import { holdProof, requireFreshSignIn, requireSignInMethod } from '../auth/fresh-sign-in.ts'
import { mailToHolder, takenOver } from '../auth/security-notices.ts'
import { sessionLives } from '../auth/sessions.ts'
import { lockUser, type UserRow } from '../users/service.ts'
import { bindIdentity, profileOf } from './accounts.ts'
import type { OAuthContext } from './context.ts'
import { alreadyBound, IdentityError, providerFailed, providerNotEnabled } from './errors.ts'
import { beginFlow, type Binder } from './flow/flow.ts'
import { toBinding } from './administration/mapper.ts'
import { failure, type Outcome } from './flow/outcome.ts'
import type { ExternalIdentity, ProviderId } from './identity-providers/contract.ts'
import { identityProvider } from './identity-providers/registry.ts'
import {
  deleteIdentity,
  findEnabledProvider,
  findIdentity,
  findOwnIdentity,
  listBindings,
  updateIdentity,
} from './queries.ts'
import { redirectUrlOf } from './administration/settings.ts'

/** Starts linking: returns the address to send the browser to. Requires a recent sign-in, or the password. */
export async function startBinding(
  context: OAuthContext,
  caller: Caller,
  providerId: ProviderId,
  { cookie, password }: { cookie: string; password: string | undefined },
) {
  await requireFreshSignIn(context, caller, password)
  const row = await findEnabledProvider(context.db, providerId)
  if (!row) throw providerNotEnabled(providerId)
  if (await findOwnIdentity(context.db, caller.userId, providerId)) throw alreadyBound()
  const binder = { userId: caller.userId, sessionId: caller.sessionId }
  const redirectUrl = redirectUrlOf(context.installation, providerId)
  try {
    const url = await beginFlow(context, row, cookie, binder)
    return { authorizeUrl: url.href, callbackUrl: redirectUrl, redirectUrl }
  } catch (error) {
    if (error instanceof IdentityError) throw providerFailed(error.message, error)
    throw error
  }
}

/**
 * Links the identity to the user who started, if still signed in. An identity of another user stays with that
 * user.
 */
export async function bindReturned(
  context: OAuthContext,
  actor: Actor,
  providerId: ProviderId,
  identity: ExternalIdentity,
  { userId, sessionId }: Binder,
): Promise<Outcome> {
  const bound: Outcome = { kind: 'bound', providerId }
  try {
    return await context.db.transaction().execute(async (trx) => {
      const user = await lockUser(trx, userId)
      if (!user || !(await sessionLives(trx, sessionId, userId))) {
        return failure('state_invalid')
      }
      if (user.disabled_at !== null) return failure('account_disabled')
      // The rule may apply since the flow started.
      const lacking = await findLackingFactor(trx, context.installation.requireSecondFactor, [userId])
      if (lacking.has(userId)) return failure('state_invalid')
      const known = await findIdentity(trx, providerId, identity.subject)
      if (known?.user_id === userId) {
        await updateIdentity(trx, known.id, profileOf(identity))
        return bound
      }
      await bindIdentity(trx, userId, providerId, identity)
      await recordAudit(
        trx,
        { ...actor, userId, username: user.username },
        {
          action: 'user.identity_bound',
          target: { type: 'user', id: userId, name: user.username },
          after: { providerId, subject: identity.subject, displayName: identity.displayName },
        },
      )
      await announceBindingChange(context, trx, user, providerId, 'bound')
      return bound
    })
  } catch (error) {
    // The constraints decide, also between concurrent requests.
    if (violates(error, 'unique')) return failure('already_bound')
    throw error
  }
}

export async function listOwnBindings({ db }: OAuthContext, caller: Caller) {
  return { bindings: (await listBindings(db, caller.userId)).map(toBinding) }
}

/** Requires a recent sign-in, or the password; refuses to remove the only way to sign in. */
export async function unbind(
  context: OAuthContext,
  caller: Caller,
  providerId: ProviderId,
  password: string | undefined,
): Promise<void> {
  const proof = await requireFreshSignIn(context, caller, password)
  await context.db.transaction().execute(async (trx) => {
    // Concurrent removals are serialized.
    const user = await holdProof(trx, proof)
    const identity = await findOwnIdentity(trx, caller.userId, providerId)
    if (!identity) throw notFound('binding to', providerId)
    await deleteIdentity(trx, identity.id)
    await requireSignInMethod(trx, user.id)
    await recordAudit(trx, caller, {
      action: 'user.identity_unbound',
      target: { type: 'user', id: user.id, name: user.username },
      before: { providerId, subject: identity.subject, displayName: identity.display_name },
    })
    await announceBindingChange(context, trx, user, providerId, 'unbound')
  })
}

/** Notifies the user by event and, if possible, by email. */
async function announceBindingChange(
  context: OAuthContext,
  trx: Executor,
  user: UserRow,
  providerId: ProviderId,
  change: 'bound' | 'unbound',
): Promise<void> {
  await announce(trx, 'account.identity_changed', {
    metadata: { username: user.username, providerId, change },
    actorId: null,
    userIds: [user.id],
  })
  const { name } = identityProvider(providerId)
  const subject =
    change === 'bound'
      ? `Your account can now be signed in to with ${name}`
      : `Your account can no longer be signed in to with ${name}`
  await mailToHolder(context, trx, user, {
    subject,
    text: `${subject} (${user.username}).`,
    otherwise: takenOver('linked identities'),
  })
}
