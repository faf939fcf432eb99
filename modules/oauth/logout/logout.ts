import type { Actor } from '../../../plugins/security/access/index.ts'
import { recordAudit } from '../../audit/service.ts'
import type { OAuthContext } from '../context.ts'
import { IdentityError, logoutRefused, unknownProvider } from '../errors.ts'
import { httpAccessOf } from '../flow/flow.ts'
import { deleteExternalSessions, deletePendingSignIns, useLogoutToken } from './logout-queries.ts'
import type { ExternalLogout, ProviderId } from '../identity-providers/contract.ts'
import { CLOCK_TOLERANCE_SECONDS, MAX_AGE_SECONDS } from '../identity-providers/logout-token.ts'
import { identityProvider } from '../identity-providers/registry.ts'
import { findEnabledProvider } from '../queries.ts'
import { settingsOf } from '../administration/settings.ts'

/** A token is refused as too old before its id is forgotten. */
const REMEMBER_SECONDS = MAX_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS

/** Ends the sessions a logout token is about. An invalid token changes nothing. */
export async function endByProvider(
  context: OAuthContext,
  actor: Actor,
  providerId: ProviderId,
  token: string | undefined,
): Promise<void> {
  const { db, secrets, events, log } = context
  const provider = identityProvider(providerId)
  const row = await findEnabledProvider(db, providerId)
  if (!provider.verifyLogout || !row) throw unknownProvider(providerId)
  const target = { type: 'oauth_provider', id: null, name: providerId } as const
  const refuse = async (reason: string) => {
    log.warn({ provider: providerId, reason }, 'back-channel logout refused')
    await recordAudit(db, actor, { action: 'auth.provider_logout_failed', target, after: { reason } })
    return logoutRefused()
  }

  let logout: ExternalLogout
  try {
    logout = await provider.verifyLogout(settingsOf(row, secrets), token ?? '', httpAccessOf(context))
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error
    throw await refuse(error.message)
  }
  const wasNew = await events.transaction(db, async (trx, tell) => {
    if (!(await useLogoutToken(trx, providerId, secrets.digest(logout.tokenId), REMEMBER_SECONDS)))
      return false
    // First: a sign-in being completed locks its row, and has created its session when this continues.
    await deletePendingSignIns(trx, providerId, logout)
    const sessions = await deleteExternalSessions(trx, providerId, logout)
    const ids = sessions.map(({ id }) => id)
    if (ids.length > 0) tell('session.ended', { sessionIds: ids })
    const user = sessions[0]
    await recordAudit(trx, actor, {
      action: 'auth.provider_logout',
      target: user ? { type: 'user', id: user.user_id, name: user.username } : target,
      before: { sessions: ids },
      after: { providerId },
    })
    return true
  })
  if (!wasNew) throw await refuse('The logout token was already used')
}
