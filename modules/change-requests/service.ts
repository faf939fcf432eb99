import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { AnnouncedName } from '../../schemas/events/event-catalogue.ts'
import type { Caller, Principal } from '../../plugins/security/access/index.ts'
import { conflict, forbidden, notFound } from '../../plugins/http/errors.ts'
import { requireMatch } from '../../plugins/http/if-match.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import { recordAudit, type AuditAction } from '../audit/service.ts'
import { requireDomain } from '../domains/access/access.ts'
import type { Later } from '../../schemas/records/later.ts'
import { requireAhead, type KeptBody, type RecordContext } from '../records/service.ts'
import { toItem, toRequest } from './mapper.ts'
import { asOfNow, planRequest, wantedOf, type Wanted } from './plan.ts'
import {
  countEntries,
  countOpen,
  countRequests,
  entriesOf,
  findRequest,
  insertEntry,
  insertRequest,
  listRequests,
  replan,
  type RequestFilter,
  type RequestRow,
} from './queries.ts'
import { mayWriteAll, reviewersOf } from './reviewers.ts'

/** Open requests of one author in one domain. */
const MAX_OPEN = 100
/** Entries in a timeline. */
const MAX_ENTRIES = 500
/** Requests among which those are counted that the caller may approve. */
const MAX_AWAITING = 200

export async function listVisibleRequests(
  { db }: RecordContext,
  caller: Caller,
  { canApprove, ...filter }: RequestFilter & { canApprove?: boolean },
) {
  const { page, limit } = filter
  if (canApprove === true) {
    const rows = await listRequests(db, caller, { ...filter, status: 'open', page: 1, limit: MAX_AWAITING })
    const awaiting = rows.map((row) => toItem(row, caller)).filter((request) => request.canApprove)
    return {
      requests: awaiting.slice((page - 1) * limit, page * limit),
      total: awaiting.length,
      page,
      limit,
    }
  }
  const [rows, total] = await Promise.all([
    listRequests(db, caller, filter),
    countRequests(db, caller, filter),
  ])
  return { requests: rows.map((row) => toItem(row, caller)), total, page, limit }
}

/** The requests of one domain; 404 if the caller doesn't see it. */
export async function listRequestsOfDomain(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  filter: RequestFilter,
) {
  await requireDomain(context.db, caller, domainId, 'read')
  return listVisibleRequests(context, caller, { ...filter, domainId })
}

export async function readRequest(db: Executor, principal: Principal, id: string) {
  const row = await requireRequest(db, principal, id)
  return toRequest(row, await entriesOf(db, id, MAX_ENTRIES), principal)
}

/** Makes a request of changes that the caller sees, with or without permission to write them. */
export async function openRequest(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  {
    title,
    reason = '',
    applyAt,
    confirmWithin,
    ...wanted
  }: Wanted & Later & { title: string; reason?: string },
) {
  const domain = await requireDomain(context.db, caller, domainId, 'read')
  if (applyAt !== undefined) await requireAhead(context.db, applyAt)
  const body = await wantedOf(context, caller, domainId, wanted)
  const plan = await planRequest(context, caller, domainId, body)
  return keepingResult(context.db, caller, async (trx) => {
    // Locks the domain, so that requests made at the same time are counted.
    await requireDomain(trx, caller, domainId, 'read', { lock: true })
    if ((await countOpen(trx, domain.id, caller.userId)) >= MAX_OPEN) {
      throw conflict(`You have ${MAX_OPEN} open change requests for ${domain.name}; withdraw some first`, {
        reason: 'too_many_requests',
        params: { count: MAX_OPEN },
      })
    }
    const id = uuidv7()
    await insertRequest(trx, {
      id,
      domain_id: domain.id,
      title,
      reason,
      author_id: caller.userId,
      author_name: caller.username,
      apply_at: applyAt === undefined ? null : new Date(applyAt),
      confirm_minutes: confirmWithin ?? null,
      ...plan,
    })
    return noteStep(trx, caller, id, 'opened')
  })
}

/** Times of an edited request; null removes one. */
interface NewTimes {
  applyAt?: string | null
  confirmWithin?: number | null
}

/**
 * Plans a request again, with other changes or the same, which ends its approval. For its author; once it is outdated or has
 * failed, also for callers with write permission for all of it.
 */
export async function editRequest(
  context: RecordContext,
  caller: Caller,
  id: string,
  {
    title,
    reason,
    applyAt,
    confirmWithin,
    ...wanted
  }: Wanted & NewTimes & { title?: string; reason?: string },
) {
  const before = await requireRequest(context.db, caller, id)
  requireEditable(before, caller)
  if (typeof applyAt === 'string') await requireAhead(context.db, applyAt)
  const isSame = wanted.changes === undefined && wanted.planId === undefined
  const body = isSame
    ? asOfNow(before.body as KeptBody)
    : await wantedOf(context, caller, before.domain_id, wanted)
  const plan = await planRequest(context, caller, before.domain_id, body)
  return keepingResult(context.db, caller, async (trx) => {
    const row = await requireRequest(trx, caller, id, { lock: true })
    requireEditable(row, caller)
    await requireMatch(caller, () => readRequest(trx, caller, id))
    requireRevision(row, before.revision)
    await replan(trx, id, {
      title: title ?? row.title,
      reason: reason ?? row.reason,
      confirm_minutes: confirmWithin === undefined ? row.confirm_minutes : confirmWithin,
      ...(applyAt !== undefined && { applyAt }),
      ...plan,
    })
    return noteStep(trx, caller, id, 'edited')
  })
}

function requireEditable(row: RequestRow, caller: Caller): void {
  const isAuthor = row.author_id === caller.userId
  if (!isAuthor && (row.status === 'open' || !mayWriteAll(row, caller)))
    throw forbidden('Only its author can edit an open change request')
  const isOpen = row.status === 'open' || row.status === 'outdated' || row.status === 'failed'
  if (!isOpen || row.change_id !== null) throw notOpen()
}

export async function commentOnRequest({ db }: RecordContext, caller: Caller, id: string, text: string) {
  return keepingResult(db, caller, async (trx) => {
    const row = await requireRequest(trx, caller, id, { lock: true })
    if ((await countEntries(trx, id)) >= MAX_ENTRIES)
      throw conflict('This change request has too many comments', {
        reason: 'too_many_requests',
        params: { count: MAX_ENTRIES },
      })
    await insertEntry(trx, row, { kind: 'commented', by: caller, text })
    return readRequest(trx, caller, id)
  })
}

/** Rejects with 404 if the caller doesn't see all that the request touches. */
export async function requireRequest(
  db: Executor,
  principal: Principal,
  id: string,
  options: { lock?: boolean } = {},
): Promise<RequestRow> {
  const row = await findRequest(db, principal, id, options)
  if (!row) throw notFound('change request', id)
  return row
}

export const notOpen = () => conflict('This change request is no longer open', { reason: 'request_not_open' })

/** Rejects with 409 if the request was planned again since the caller read it. */
export function requireRevision(row: Pick<RequestRow, 'revision'>, revision: number): void {
  if (row.revision === revision) return
  throw conflict(`This change request has been edited; it is now at revision ${row.revision}`, {
    reason: 'request_changed',
    params: { revision: row.revision },
  })
}

const STEPS = {
  opened: { audit: 'change_request.opened', event: 'change_request.opened' },
  edited: { audit: 'change_request.edited', event: 'change_request.opened' },
  applied: { audit: 'change_request.applied', event: null },
  approved: { audit: 'change_request.approved', event: 'change_request.approved' },
  rejected: { audit: 'change_request.rejected', event: 'change_request.rejected' },
  withdrawn: { audit: 'change_request.withdrawn', event: null },
} as const satisfies Record<string, { audit: AuditAction; event: AnnouncedName | null }>

/** Writes the timeline, audit entry and event of what a user did to a request, and returns it. */
export async function noteStep(
  trx: Executor,
  caller: Caller,
  id: string,
  kind: keyof typeof STEPS,
  text = '',
) {
  const row = await requireRequest(trx, caller, id)
  const { audit, event } = STEPS[kind]
  await insertEntry(trx, row, { kind, by: caller, text })
  await recordAudit(trx, caller, {
    action: audit,
    target: { type: 'change_request', id, name: row.title },
    after: { domainId: row.domain_id, domainName: row.domain_name, revision: row.revision },
  })
  if (event !== null) await announceRequest(trx, event, row, caller.userId)
  return readRequest(trx, caller, id)
}

type RequestEvent = Exclude<Extract<AnnouncedName, `change_request.${string}`>, 'change_request.bypassed'>

/** Announces an event to the author and possible approvers of the request. */
export async function announceRequest(
  trx: Executor,
  event: RequestEvent,
  row: Pick<
    RequestRow,
    | 'id'
    | 'domain_id'
    | 'domain_name'
    | 'title'
    | 'author_id'
    | 'author_name'
    | 'approver_id'
    | 'touched'
    | 'created'
    | 'updated'
    | 'deleted'
  >,
  actorId: string | null,
): Promise<void> {
  const concerned = [row.author_id, row.approver_id, ...(await reviewersOf(trx, row))]
  await announce(trx, event, {
    metadata: {
      domainId: row.domain_id,
      domainName: row.domain_name,
      changeRequestId: row.id,
      title: row.title,
      author: row.author_name,
      created: row.created,
      updated: row.updated,
      deleted: row.deleted,
    },
    actorId,
    userIds: [...new Set(concerned.filter((userId) => userId !== null))],
  })
}
