import { v7 as uuidv7, validate as isUuid } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import { parseDomainName } from '../../dns/names/domain-names.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { conflict, forbidden, invalid, notFound } from '../../plugins/http/errors.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import { recordAudit, type AuditAction } from '../audit/service.ts'
import { requireDomain } from '../domains/access/access.ts'
import { touchListsOf } from '../domains/service.ts'
import { toRequest } from './mapper.ts'
import { isWithin, readEnd, readPattern, toMetadata, toTarget } from './permission-target.ts'
import { lastingAssignments, putAssignment } from './queries.ts'
import {
  countRequests,
  decideRequest,
  findAskedDomains,
  findRequest,
  insertRequest,
  linkAssignment,
  listRequests,
  type RequestFilter,
  type RequestView,
} from './request-queries.ts'
import { auditAssignment, ownsIt, termsOf, type AssignmentContext, type Terms } from './service.ts'

interface NewRequest {
  /** Name or id. */
  domain: string
  subdomainPattern?: string | null
  permission: 'read' | 'write'
  reason: string
}

/** What is granted, if less than requested. */
interface Narrowing extends Partial<Terms> {
  subdomainPattern?: string
}

export async function listVisibleRequests({ db }: AssignmentContext, caller: Caller, filter: RequestFilter) {
  const [rows, total] = await Promise.all([
    listRequests(db, caller, filter),
    countRequests(db, caller, filter),
  ])
  return { requests: rows.map(toRequest), total, page: filter.page, limit: filter.limit }
}

export const readRequest = async ({ db }: AssignmentContext, caller: Caller, id: string) =>
  toRequest(await requireRequest(db, caller, id))

/** Requests permission on a domain, which needn't be visible to the caller. */
export async function askForAssignment({ db }: AssignmentContext, caller: Caller, input: NewRequest) {
  const { permission, reason } = input
  const domain = await findAskedDomain(db, input.domain)
  if (domain.owner_id === caller.userId) throw ownsIt(caller.username, domain.name)
  if (caller.role === 'admin')
    throw conflict('Administrators already have all permissions on every domain', {
      reason: 'administrator_has_all',
    })
  const pattern = readPattern(input.subdomainPattern, domain.name)
  return keepingResult(db, caller, async (trx) => {
    if (await hasIt(trx, caller, domain.id, { pattern, permission }))
      throw conflict('You already have these permissions', { reason: 'has_rights' })
    const row = await insertRequest(trx, {
      id: uuidv7(),
      user_id: caller.userId,
      domain_id: domain.id,
      pattern,
      permission,
      reason,
      status: 'pending',
    })
    if (!row) throw conflict('You already have an open request for this', { reason: 'request_open' })
    const view = { ...row, username: caller.username, decider: null, domain_name: domain.name }
    await auditRequest(trx, caller, 'assignment.requested', view, { permission, reason })
    await announceRequest(trx, 'request', caller, view)
    return toRequest(view)
  })
}

/** Grants a request in full or in part, replacing the user's permission on the same names. */
export async function approveRequest(
  { db }: AssignmentContext,
  caller: Caller,
  id: string,
  input: Narrowing,
) {
  const expiresAt = readEnd(input.expiresAt)
  return keepingResult(db, caller, async (trx) => {
    const asked = await requireRequest(trx, caller, id)
    const { pattern, permission } = narrow(asked, input)
    const domain = await requireDomain(trx, caller, asked.domain_id, 'manage', { lock: true })
    if (domain.owner_id === asked.user_id) throw ownsIt(asked.username, domain.name)
    const decided = await decide(trx, caller, asked, 'approved', null)
    const row = await putAssignment(trx, {
      id: uuidv7(),
      user_id: asked.user_id,
      domain_id: domain.id,
      pattern,
      permission,
      record_types: input.recordTypes ?? null,
      expires_at: expiresAt,
      created_by: caller.userId,
    })
    await linkAssignment(trx, id, row.id)
    const assignment = {
      ...row,
      username: asked.username,
      creator: caller.username,
      domain_name: domain.name,
    }
    await auditAssignment(trx, caller, 'assignment.approved', assignment, {
      after: { requestId: id, ...termsOf(assignment) },
    })
    await touchListsOf(trx, [asked.user_id])
    await announce(trx, 'assignment.approve', {
      metadata: toMetadata(assignment),
      actorId: caller.userId,
      userIds: [asked.user_id],
    })
    return toRequest({ ...decided, assignment_id: row.id })
  })
}

export async function rejectRequest({ db }: AssignmentContext, caller: Caller, id: string, reason: string) {
  return keepingResult(db, caller, async (trx) => {
    const decided = await decide(trx, caller, await requireRequest(trx, caller, id), 'rejected', reason)
    await auditRequest(trx, caller, 'assignment.rejected', decided, { username: decided.username, reason })
    await announceRequest(trx, 'reject', caller, decided)
    return toRequest(decided)
  })
}

/** Cancels the caller's own request. */
export const cancelRequest = ({ db }: AssignmentContext, caller: Caller, id: string) =>
  keepingResult(db, caller, async (trx) => {
    const asked = await requireRequest(trx, caller, id)
    if (asked.user_id !== caller.userId)
      throw forbidden('Only the requester can cancel this request; reject it instead')
    const decided = await decide(trx, caller, asked, 'cancelled', null)
    await auditRequest(trx, caller, 'assignment.cancelled', decided, {})
    return toRequest(decided)
  })

async function requireRequest(db: Executor, caller: Caller, id: string): Promise<RequestView> {
  const row = await findRequest(db, caller, id)
  if (!row) throw notFound('request', id)
  return row
}

async function findAskedDomain(db: Executor, given: string) {
  const byId = isUuid(given)
  const parsed = byId ? null : parseDomainName(given)
  if (parsed?.ok === false) throw invalid({ path: '/domain', code: parsed.code, message: parsed.reason })
  const found = await findAskedDomains(db, parsed?.ok ? { name: parsed.name } : { id: given })
  if (found.length > 1) {
    throw conflict(`Several domains are named ${given}; use the domain id instead`, {
      reason: 'several_domains',
    })
  }
  const [domain] = found
  if (!domain) throw notFound('domain', given)
  return domain
}

/** Whether the user already has everything requested, without an end. */
async function hasIt(
  db: Executor,
  { userId }: Caller,
  domainId: string,
  asked: { pattern: string; permission: 'read' | 'write' },
): Promise<boolean> {
  const lasting = await lastingAssignments(db, userId, domainId)
  return lasting.some(
    ({ pattern, permission, record_types }) =>
      isWithin(asked.pattern, pattern) &&
      (asked.permission === 'read' || (permission === 'write' && record_types === null)),
  )
}

/** Returns what is granted. Throws a 400 if it exceeds the request. */
function narrow(asked: RequestView, given: Narrowing) {
  const pattern =
    given.subdomainPattern === undefined
      ? asked.pattern
      : readPattern(given.subdomainPattern, asked.domain_name)
  if (!isWithin(pattern, asked.pattern)) {
    throw invalid({
      path: '/subdomainPattern',
      code: 'beyond_request',
      message: `exceeds the requested ${asked.pattern}`,
    })
  }
  const permission = given.permission ?? asked.permission
  if (permission === 'write' && asked.permission === 'read') {
    throw invalid({
      path: '/permission',
      code: 'beyond_request',
      message: 'exceeds the requested read permission',
    })
  }
  return { pattern, permission }
}

/** Decides a request. If several decide at the same time, one succeeds and the others get a 409. */
async function decide(
  trx: Executor,
  caller: Caller,
  asked: RequestView,
  status: RequestView['status'],
  reason: string | null,
): Promise<RequestView> {
  const decision = { status, decided_by: caller.userId, decision_reason: reason }
  const decided = await decideRequest(trx, asked.id, decision)
  if (!decided) throw conflict('This request has already been decided', { reason: 'request_decided' })
  return { ...asked, ...decided, decider: caller.username }
}

const auditRequest = (
  trx: Executor,
  caller: Caller,
  action: AuditAction,
  request: RequestView,
  after: object,
) =>
  recordAudit(trx, caller, {
    action,
    target: { type: 'assignment_request', id: request.id, name: toTarget(request).host },
    after,
  })

const announceRequest = (trx: Executor, what: 'request' | 'reject', caller: Caller, request: RequestView) =>
  announce(trx, `assignment.${what}`, {
    metadata: toMetadata(request),
    actorId: caller.userId,
    userIds: [request.user_id],
  })
