import type { Executor } from '../../db/connect.ts'
import type { Caller } from '../../plugins/access/index.ts'
import { conflict, invalid, notFound } from '../../plugins/errors.ts'
import type { Holding } from '../../plugins/holdings.ts'
import { recordAudit } from '../audit/service.ts'
import type { AccountContext } from './accounts.ts'
import { refuseLastAdministrator } from './administration.ts'
import { deleteSessionsOf, deleteUser, lockAdministrators, lockUser } from './queries.ts'

/** Deleting also needs to know what users own, which other areas say: see plugins/holdings. */
export interface DeletionContext extends AccountContext {
  holdings: readonly Holding[]
}

/**
 * Deletes the account with its sessions, tokens and factors; what it did stays in the audit trail. What it
 * owns goes to `transferTo`, all in one transaction, or the deletion is refused.
 */
export async function removeUser(
  { db, events, holdings }: DeletionContext,
  caller: Caller,
  id: string,
  transferTo: string | undefined,
): Promise<void> {
  if (transferTo === id) throw invalid({ path: '/transferTo', message: 'must be another user' })
  const ended = await db.transaction().execute(async (trx) => {
    const administrators = await lockAdministrators(trx)
    const user = await lockUser(trx, id)
    if (!user) throw notFound('user', id)
    refuseLastAdministrator(administrators, id)
    const heir = transferTo === undefined ? null : await lockHeir(trx, transferTo)
    const owned = await ownedBy(trx, holdings, id)
    if (owned.length > 0 && !heir) throw stillOwns(user.username, owned)
    const sessions = await deleteSessionsOf(trx, id)
    await recordAudit(trx, caller, {
      action: 'user.deleted',
      target: { type: 'user', id, name: user.username },
      before: { username: user.username, email: user.email, role: user.role },
      after: heir && { transferredTo: heir.id, transferred: Object.fromEntries(owned) },
    })
    if (heir) for (const holding of holdings) await holding.transfer(trx, id, heir.id)
    await deleteUser(trx, id)
    return sessions
  })
  events.emit('user.changed', { userId: id })
  if (ended.length > 0) events.emit('session.ended', { sessionIds: ended })
}

async function lockHeir(trx: Executor, id: string) {
  const heir = await lockUser(trx, id)
  if (!heir || heir.disabled_at !== null) {
    throw invalid({ path: '/transferTo', message: 'is no enabled user' })
  }
  return heir
}

async function ownedBy(
  trx: Executor,
  holdings: readonly Holding[],
  id: string,
): Promise<[name: string, count: number][]> {
  const counts: [string, number][] = []
  for (const holding of holdings) counts.push([holding.name, await holding.count(trx, id)])
  return counts.filter(([, count]) => count > 0)
}

function stillOwns(username: string, owned: [name: string, count: number][]) {
  const what = owned.map(([name, count]) => `${count} ${name}`).join(' and ')
  const detail = `${username} still owns ${what}: delete them first, or name with transferTo who gets them`
  return conflict(detail, { owned: Object.fromEntries(owned) })
}
