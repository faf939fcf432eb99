import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { conflict, forbidden, invalid, notFound } from '../../plugins/http/errors.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import { recordAudit } from '../audit/service.ts'
import { requireDomain } from '../domains/access/access.ts'
import {
  countTransfers,
  endTransfer,
  expireTransfers,
  findTransfer,
  giveDomain,
  insertTransfer,
  listTransfers,
  lockOwned,
  transferMetadata,
  type TransferFilter,
  type TransferView,
} from '../domains/service.ts'
import { findUserById, type UserRow } from '../users/service.ts'
import { toTransfer } from './mapper.ts'
import { findAssignee, type AssignmentContext } from './service.ts'

/** Lifetime of an offer. */
const OPEN_DAYS = 7
const DAY_MS = 86_400_000

interface Given {
  id: string
  name: string
  owner_id: string
}

/**
 * Transfers a domain to another user; the previous owner keeps only separately granted permissions. An owner's transfer
 * is an offer that the receiver accepts; an administrator's takes effect immediately and returns null. The provider
 * configuration keeps its owner. Rejects with 409 if the user already owns the domain.
 */
export const transferDomain = (
  { db }: AssignmentContext,
  caller: Caller,
  domainId: string,
  input: { userId?: string; username?: string },
) =>
  keepingResult(db, caller, async (trx) => {
    const domain = await requireDomain(trx, caller, domainId, 'manage', { lock: true })
    const user = await findAssignee(trx, input)
    if (user.disabled_at !== null) {
      const path = input.userId === undefined ? '/username' : '/userId'
      throw invalid({ path, code: 'unknown_user', message: 'is not an active user' })
    }
    if (user.id === domain.owner_id)
      throw conflict(`${user.username} already owns ${domain.name}`, {
        reason: 'owns_domain',
        params: { username: user.username },
      })
    if (caller.role === 'admin') {
      await give(trx, caller, domain, user)
      return null
    }
    return toTransfer(await offer(trx, caller, domain, user))
  })

async function offer(trx: Executor, caller: Caller, domain: Given, user: UserRow): Promise<TransferView> {
  // An expired offer must not block a new one.
  await expireTransfers(trx, domain.id)
  const now = Date.now()
  const row = await insertTransfer(trx, {
    id: uuidv7(),
    domain_id: domain.id,
    from_user_id: caller.userId,
    to_user_id: user.id,
    status: 'pending',
    created_at: new Date(now),
    expires_at: new Date(now + OPEN_DAYS * DAY_MS),
    ended_at: null,
  })
  if (!row)
    throw conflict(`A transfer of ${domain.name} is pending; withdraw it first`, {
      reason: 'transfer_pending',
    })
  const view = {
    ...row,
    domain_name: domain.name,
    from_username: caller.username,
    to_username: user.username,
  }
  await note(trx, caller, 'offered', view)
  return view
}

/** Changes the owner, in the transaction that locks the domain. */
async function give(
  trx: Executor,
  caller: Caller,
  domain: Given,
  to: { id: string; username: string },
): Promise<void> {
  await recordAudit(trx, caller, {
    action: 'domain.transferred',
    target: { type: 'domain', id: domain.id, name: domain.name },
    before: { ownerId: domain.owner_id },
    after: { ownerId: to.id, username: to.username },
  })
  await giveDomain(trx, domain, to.id, caller.userId)
  // An owner can't be deleted.
  const previous = (await findUserById(trx, domain.owner_id)) as UserRow
  await announce(trx, 'domain.transferred', {
    metadata: {
      domainId: domain.id,
      domainName: domain.name,
      username: to.username,
      previousUsername: previous.username,
    },
    actorId: caller.userId,
    userIds: [domain.owner_id, to.id],
  })
}

export async function listVisibleTransfers(
  { db }: AssignmentContext,
  caller: Caller,
  filter: TransferFilter,
) {
  const [rows, total] = await Promise.all([
    listTransfers(db, caller, filter),
    countTransfers(db, caller, filter),
  ])
  return { transfers: rows.map(toTransfer), total, page: filter.page, limit: filter.limit }
}

export const readTransfer = async ({ db }: AssignmentContext, caller: Caller, id: string) =>
  toTransfer(await requireTransfer(db, caller, id))

/** Accepts an offer. Rejects with 409 if it is no longer pending. */
export const acceptTransfer = ({ db }: AssignmentContext, caller: Caller, id: string) =>
  keepingResult(db, caller, async (trx) => {
    const offered = await requireReceiver(trx, caller, id)
    // Locks the domain first, in the same order as other transfers.
    const domain = await lockOwned(trx, offered.domain_id)
    if (domain?.owner_id !== offered.from_user_id) throw transferEnded()
    const accepted = await end(trx, offered, 'accepted')
    await give(trx, caller, domain, { id: caller.userId, username: caller.username })
    return toTransfer(accepted)
  })

export const declineTransfer = ({ db }: AssignmentContext, caller: Caller, id: string) =>
  keepingResult(db, caller, async (trx) => {
    const declined = await end(trx, await requireReceiver(trx, caller, id), 'declined')
    await note(trx, caller, 'declined', declined)
    return toTransfer(declined)
  })

/** Withdraws an offer; for the user who made it and administrators. */
export const withdrawTransfer = ({ db }: AssignmentContext, caller: Caller, id: string) =>
  keepingResult(db, caller, async (trx) => {
    const offered = await requireTransfer(trx, caller, id)
    if (offered.from_user_id !== caller.userId && caller.role !== 'admin')
      throw forbidden('Only the owner can withdraw this transfer; decline it instead')
    const withdrawn = await end(trx, offered, 'withdrawn')
    await note(trx, caller, 'withdrawn', withdrawn)
    return toTransfer(withdrawn)
  })

async function requireTransfer(db: Executor, caller: Caller, id: string): Promise<TransferView> {
  const row = await findTransfer(db, caller, id)
  if (!row) throw notFound('transfer', id)
  return row
}

async function requireReceiver(db: Executor, caller: Caller, id: string): Promise<TransferView> {
  const row = await requireTransfer(db, caller, id)
  if (row.to_user_id !== caller.userId)
    throw forbidden('Only the receiver can accept or decline this transfer')
  return row
}

async function end(
  trx: Executor,
  offered: TransferView,
  status: 'accepted' | 'declined' | 'withdrawn',
): Promise<TransferView> {
  const ended = await endTransfer(trx, offered.id, status)
  if (!ended) throw transferEnded()
  return { ...offered, ...ended }
}

/** Notifies both users and writes the audit log. */
async function note(
  trx: Executor,
  caller: Caller,
  what: 'offered' | 'declined' | 'withdrawn',
  transfer: TransferView,
): Promise<void> {
  await recordAudit(trx, caller, {
    action: `domain.transfer_${what}`,
    target: { type: 'domain', id: transfer.domain_id, name: transfer.domain_name },
    after: { username: transfer.to_username },
  })
  await announce(trx, `domain.transfer_${what}`, {
    metadata: transferMetadata(transfer),
    actorId: caller.userId,
    userIds: [transfer.from_user_id, transfer.to_user_id],
  })
}

const transferEnded = () => conflict('This transfer is no longer pending', { reason: 'transfer_ended' })
