import type { Actor } from '../../../plugins/security/access/index.ts'
import { recordAudit } from '../../audit/service.ts'
import { registerAccount, toUserSummary, type Registration } from '../../users/service.ts'
import { beginSession, type AuthContext } from '../sessions.ts'

/**
 * Creates an account and signs it in, in one transaction, so that an invitation is not used up by a failure.
 */
export async function register(
  context: AuthContext,
  actor: Actor & { ip: string },
  { userAgent, ...registration }: Registration & { userAgent: string },
) {
  return registerAccount(context, actor, registration, async (trx, user, self) => {
    const issued = await beginSession(context, trx, user, { ip: actor.ip, userAgent, remember: false })
    await recordAudit(trx, self, {
      action: 'auth.login',
      target: { type: 'user', id: user.id, name: user.username },
      after: { method: 'registration' },
    })
    return { issued, user: toUserSummary(user) }
  })
}
