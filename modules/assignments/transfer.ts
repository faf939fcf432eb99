import type { Caller } from '../../plugins/access/index.ts'
import { conflict, invalid } from '../../plugins/errors.ts'
import { keepingResult } from '../../plugins/idempotency-key.ts'
import { announce } from '../../plugins/outbox/announce.ts'
import { recordAudit } from '../audit/service.ts'
import { requireDomain } from '../domains/access.ts'
import { giveDomain } from '../domains/service.ts'
import { findUserById, type UserRow } from '../users/service.ts'
import { findAssignee, type AssignmentContext } from './service.ts'

/**
 * Gives a domain to another user, who from then on has all rights on it; who had it keeps none but what an
 * assignment gives. The provider configuration stays whose it is. Rejects with 409 when they own it already.
 */
export async function transferDomain(
  { db }: AssignmentContext,
  caller: Caller,
  domainId: string,
  input: { userId?: string; username?: string },
): Promise<void> {
  await keepingResult(db, caller, async (trx) => {
    const domain = await requireDomain(trx, caller, domainId, 'manage', { lock: true })
    const user = await findAssignee(trx, input)
    if (user.disabled_at !== null) {
      const path = input.userId === undefined ? '/username' : '/userId'
      throw invalid({ path, code: 'unknown_user', message: 'is no enabled user' })
    }
    if (user.id === domain.owner_id)
      throw conflict(`${user.username} owns ${domain.name} already`, {
        reason: 'owns_domain',
        params: { username: user.username },
      })
    await recordAudit(trx, caller, {
      action: 'domain.transferred',
      target: { type: 'domain', id: domain.id, name: domain.name },
      before: { ownerId: domain.owner_id },
      after: { ownerId: user.id, username: user.username },
    })
    await giveDomain(trx, domain, user.id)
    // Whoever owns something can't be deleted.
    const previous = (await findUserById(trx, domain.owner_id)) as UserRow
    await announce(trx, 'domain.transferred', {
      metadata: {
        domainId: domain.id,
        domainName: domain.name,
        username: user.username,
        previousUsername: previous.username,
      },
      actorId: caller.userId,
      userIds: [domain.owner_id, user.id],
    })
  })
}
