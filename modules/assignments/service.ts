import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { conflict, forbidden, invalid, notFound } from '../../plugins/http/errors.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import { requireMatch } from '../../plugins/http/if-match.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'
import { differences, recordAudit, type AuditAction } from '../audit/service.ts'
import { narrowsRecords, requireDomain } from '../domains/access/access.ts'
import { lockOwned, touchListsOf } from '../domains/service.ts'
import { findUserById, findUserByName } from '../users/service.ts'
import { toAssignment } from './mapper.ts'
import { readEnd, readPattern, toMetadata, toTarget } from './permission-target.ts'
import {
  countAssignments,
  deleteAssignment,
  deleteEnded,
  findAssignment,
  insertAssignment,
  listAssignments,
  updateAssignment,
  type AssignmentView,
  type Filter,
} from './queries.ts'

/** Dependencies of permission services. */
export type AssignmentContext = Pick<FastifyInstance, 'db'>

export interface Terms {
  permission: 'read' | 'write'
  recordTypes?: RecordType[] | null
  expiresAt?: string | null
}

interface NewAssignment extends Terms {
  userId?: string
  username?: string
  domainId: string
  subdomainPattern?: string | null
}

export async function listVisible({ db }: AssignmentContext, caller: Caller, filter: Filter) {
  const [rows, total] = await Promise.all([
    listAssignments(db, caller, filter),
    countAssignments(db, caller, filter),
  ])
  return { assignments: rows.map(toAssignment), total, page: filter.page, limit: filter.limit }
}

export const readAssignment = async ({ db }: AssignmentContext, caller: Caller, id: string) =>
  toAssignment(await requireAssignment(db, caller, id))

/** Grants permission on a domain that the caller manages. */
export async function createAssignment({ db }: AssignmentContext, caller: Caller, input: NewAssignment) {
  const expiresAt = readEnd(input.expiresAt)
  return keepingResult(db, caller, async (trx) => {
    const domain = await requireDomain(trx, caller, input.domainId, 'manage', { lock: true })
    const user = await findAssignee(trx, input)
    if (user.id === domain.owner_id) throw ownsIt(user.username, domain.name)
    const pattern = readPattern(input.subdomainPattern, domain.name)
    await deleteEnded(trx, user.id, { domain_id: domain.id, pattern })
    const row = await insertAssignment(trx, {
      id: uuidv7(),
      user_id: user.id,
      domain_id: domain.id,
      pattern,
      permission: input.permission,
      record_types: input.recordTypes ?? null,
      expires_at: expiresAt,
      created_by: caller.userId,
    })
    if (!row) throw assignedAlready(user.username, pattern, domain.name)
    const view = { ...row, username: user.username, creator: caller.username, domain_name: domain.name }
    await auditAssignment(trx, caller, 'assignment.created', view, { after: termsOf(view) })
    await touchListsOf(trx, [user.id])
    await announce(trx, 'assignment.create', {
      metadata: toMetadata(view),
      actorId: caller.userId,
      userIds: [user.id],
    })
    return toAssignment(view)
  })
}

/** Changes level, record types and end; user and names can't be changed. */
export async function changeAssignment(
  { db }: AssignmentContext,
  caller: Caller,
  id: string,
  input: Partial<NewAssignment>,
) {
  return db.transaction().execute(async (trx) => {
    const before = await lockAssignment(trx, caller, id)
    await requireMatch(caller, () => toAssignment(before))
    refuseOtherTarget(before, input)
    const { permission, recordTypes, expiresAt } = input
    const after: AssignmentView = {
      ...before,
      ...(permission !== undefined && { permission }),
      ...(recordTypes !== undefined && { record_types: recordTypes }),
      ...(expiresAt !== undefined && { expires_at: newEnd(before.expires_at, expiresAt) }),
    }
    const { permission: allowed, record_types, expires_at } = after
    await updateAssignment(trx, id, { permission: allowed, record_types, expires_at })
    await auditAssignment(
      trx,
      caller,
      'assignment.updated',
      after,
      differences(termsOf(before), termsOf(after)),
    )
    await touchListsOf(trx, [after.user_id])
    return toAssignment(after)
  })
}

/** Revokes a permission, or gives up the caller's own; takes effect with the next request. */
export async function removeAssignment({ db }: AssignmentContext, caller: Caller, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const given = await requireAssignment(trx, caller, id)
    const leaves = given.user_id === caller.userId
    const told = leaves ? await lockForLeaving(trx, caller, given) : given.user_id
    const row = leaves ? await requireAssignment(trx, caller, id) : await lockAssignment(trx, caller, id)
    await requireMatch(caller, () => toAssignment(row))
    await deleteAssignment(trx, id)
    const action = leaves ? 'assignment.left' : 'assignment.deleted'
    await auditAssignment(trx, caller, action, row, { before: termsOf(row) })
    await touchListsOf(trx, [row.user_id])
    await announce(trx, leaves ? 'assignment.leave' : 'assignment.delete', {
      metadata: toMetadata(row),
      actorId: caller.userId,
      userIds: [told],
    })
  })
}

/** Locks the domain and returns its owner; a user giving up a permission may no longer see it. */
async function lockForLeaving(trx: Executor, caller: Caller, { domain_id }: AssignmentView): Promise<string> {
  if (narrowsRecords(caller)) throw forbidden('This token is restricted to a part of the records')
  const domain = await lockOwned(trx, domain_id)
  if (!domain) throw notFound('domain', domain_id)
  return domain.owner_id
}

async function requireAssignment(db: Executor, caller: Caller, id: string): Promise<AssignmentView> {
  const row = await findAssignment(db, caller, id)
  if (!row) throw notFound('assignment', id)
  return row
}

/** Reads the permission under the domain's lock, which serializes changes of its permissions. */
async function lockAssignment(trx: Executor, caller: Caller, id: string): Promise<AssignmentView> {
  const { domain_id } = await requireAssignment(trx, caller, id)
  await requireDomain(trx, caller, domain_id, 'manage', { lock: true })
  return requireAssignment(trx, caller, id)
}

export async function findAssignee(
  db: Executor,
  { userId, username }: { userId?: string; username?: string },
) {
  if (userId === undefined && username === undefined) {
    throw invalid({ path: '/userId', code: 'required', message: 'is required, or "username"' })
  }
  const user =
    userId === undefined
      ? await findUserByName(db, (username as string).toLowerCase())
      : await findUserById(db, userId)
  if (!user)
    throw invalid({
      path: userId === undefined ? '/username' : '/userId',
      code: 'unknown_user',
      message: 'is not a user',
    })
  if (username !== undefined && username.toLowerCase() !== user.username) {
    throw invalid({
      path: '/username',
      code: 'user_differs',
      message: 'names a different user than "userId"',
    })
  }
  return user
}

/** User and names can't be changed; a client may send them back unchanged. */
function refuseOtherTarget(row: AssignmentView, input: Partial<NewAssignment>): void {
  const { userId, domainId, subdomainPattern } = input
  const changed = [
    ...(userId !== undefined && userId.toLowerCase() !== row.user_id ? ['userId'] : []),
    ...(domainId !== undefined && domainId.toLowerCase() !== row.domain_id ? ['domainId'] : []),
    ...(subdomainPattern !== undefined && readPattern(subdomainPattern, row.domain_name) !== row.pattern
      ? ['subdomainPattern']
      : []),
  ]
  if (changed.length > 0)
    throw invalid(
      ...changed.map((field) => ({ path: `/${field}`, code: 'fixed' as const, message: "can't be changed" })),
    )
}

/** Accepts an end in the past if it is the stored one, which a client may send back unchanged. */
const newEnd = (before: Date | null, given: string | null) =>
  given !== null && new Date(given).getTime() === before?.getTime() ? before : readEnd(given)

/** What the audit log stores of a permission. */
export const termsOf = ({ username, permission, record_types, expires_at }: AssignmentView) => ({
  username,
  permission,
  recordTypes: record_types,
  expiresAt: expires_at?.toISOString() ?? null,
})

export const auditAssignment = (
  trx: Executor,
  caller: Caller,
  action: AuditAction,
  row: AssignmentView,
  states: { before?: object; after?: object },
) =>
  recordAudit(trx, caller, {
    action,
    target: { type: 'assignment', id: row.id, name: toTarget(row).host },
    ...states,
  })

export const ownsIt = (username: string, domainName: string) =>
  conflict(`${username} owns ${domainName} and already has all permissions on it`, {
    reason: 'owns_domain',
    params: { username },
  })

const assignedAlready = (username: string, pattern: string, domainName: string) =>
  conflict(`${username} already has a permission on ${pattern} of ${domainName}; update that one instead`, {
    reason: 'assigned_already',
    params: { username, pattern },
  })
