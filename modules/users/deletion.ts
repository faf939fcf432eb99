import type { FastifyInstance } from 'fastify'
import type { Executor } from '../../db/connection/connect.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { conflict, invalid, notFound } from '../../plugins/http/errors.ts'
import { requireMatch } from '../../plugins/http/if-match.ts'
import type { Ownership } from '../../plugins/security/ownership.ts'
import { recordAudit } from '../audit/service.ts'
import type { AccountContext } from './accounts.ts'
import { readUser, refuseLastAdministrator } from './administration.ts'
import { deleteSessions, deleteUser, lockAdministrators, lockUser, lockUserForDeletion } from './queries.ts'

/** Deleting also needs what users own, which other modules report: see plugins/security/ownership. */
type DeletionContext = AccountContext & Pick<FastifyInstance, 'ownership'>

/**
 * Deletes the account with its sessions, tokens and factors; its actions stay in the audit trail. Its
 * possessions go to `transferTo` in the same transaction, or the deletion is refused.
 */
export async function removeUser(
  { db, events, ownership }: DeletionContext,
  caller: Caller,
  id: string,
  transferTo: string | undefined,
): Promise<void> {
  if (transferTo === id)
    throw invalid({ path: '/transferTo', code: 'same_user', message: 'must be another user' })
  await events.transaction(db, async (trx, tell) => {
    const administrators = await lockAdministrators(trx)
    const user = await lockUserForDeletion(trx, id)
    if (!user) throw notFound('user', id)
    await requireMatch(caller, () => readUser({ db: trx }, id))
    refuseLastAdministrator(administrators, id)
    const newOwner = transferTo === undefined ? null : await lockNewOwner(trx, transferTo)
    const owned = await ownedBy(trx, ownership, id)
    if (owned.length > 0 && !newOwner) throw stillOwns(user.username, owned)
    const sessionIds = await deleteSessions(trx, id)
    await recordAudit(trx, caller, {
      action: 'user.deleted',
      target: { type: 'user', id, name: user.username },
      before: { username: user.username, email: user.email, role: user.role },
      after: newOwner && { transferredTo: newOwner.id, transferred: Object.fromEntries(owned) },
    })
    if (newOwner) for (const kind of ownership) await kind.transfer(trx, id, newOwner.id)
    await deleteUser(trx, id)
    tell('user.changed', { userId: id })
    if (sessionIds.length > 0) tell('session.ended', { sessionIds })
  })
}

async function lockNewOwner(trx: Executor, id: string) {
  const newOwner = await lockUser(trx, id)
  if (!newOwner || newOwner.disabled_at !== null) {
    throw invalid({ path: '/transferTo', code: 'unknown_user', message: 'is not an active user' })
  }
  return newOwner
}

async function ownedBy(
  trx: Executor,
  ownership: readonly Ownership[],
  id: string,
): Promise<[name: string, count: number][]> {
  const counts: [string, number][] = []
  for (const kind of ownership) counts.push([kind.name, await kind.count(trx, id)])
  return counts.filter(([, count]) => count > 0)
}

function stillOwns(username: string, owned: [name: string, count: number][]) {
  const what = owned.map(([name, count]) => `${count} ${name}`).join(' and ')
  const detail = `${username} still owns ${what}; delete them first, or set transferTo to their new owner`
  return conflict(detail, { reason: 'still_owns', owned: Object.fromEntries(owned) })
}
