import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../db/tables/index.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import { notFound } from '../../plugins/http/errors.ts'
import { keepResult } from '../../plugins/http/idempotency/key.ts'
import type { AcceptedOperation, Operation } from '../../schemas/operation.ts'
import type { Problem } from '../../schemas/problem.ts'
import { EVERYTHING, recordScopeOf, requireDomain, sightOf } from '../domains/access/access.ts'
import type { NewOperation } from './contract.ts'
import { noRoomForOperations, tooManyOperations } from './errors.ts'
import { toOperation, type OperationRow } from './mapper.ts'
import {
  countOperations,
  countUnfinished,
  findAnswer,
  findOperation,
  findVisibleOperation,
  insertOperation,
  listOperations,
} from './queries.ts'

/** Limits of unfinished operations: their input may be as large as a zone file. */
const MAX_OF_USER = 10
const MAX_OF_ALL = 100

/** Stores an operation; the caller's permission has been checked as far as possible. */
export async function storeOperation(
  db: Kysely<Database>,
  { id = uuidv7(), kind, domain, caller, input, total, take }: NewOperation,
): Promise<Operation> {
  return db.transaction().execute(async (trx) => {
    const { own, all } = await countUnfinished(trx, caller.userId)
    if (own >= MAX_OF_USER) throw tooManyOperations()
    if (all >= MAX_OF_ALL) throw noRoomForOperations()
    const known = take ? await take(trx, id) : total
    const stored = await insertOperation(trx, {
      id,
      kind,
      domain_id: domain?.id ?? null,
      user_id: caller.userId,
      token_id: caller.token?.id ?? null,
      origin: caller.origin,
      ip: caller.ip,
      request_id: caller.requestId,
      sight: domain ? sightOf(recordScopeOf(domain, caller)) : EVERYTHING,
      input: JSON.stringify(input),
      total: known,
    })
    const operation = toOperation((await findOperation(trx, stored)) as OperationRow)
    await keepResult(trx, caller, { operation } satisfies AcceptedOperation)
    return operation
  })
}

/** The caller's operations, newest first. */
export async function readOperations(
  db: Executor,
  principal: Principal,
  { page, limit }: { page: number; limit: number },
) {
  const [rows, total] = await Promise.all([
    listOperations(db, principal, { limit, offset: (page - 1) * limit }),
    countOperations(db, principal),
  ])
  return { operations: rows.map(toOperation), total, page, limit }
}

/** An operation of the user, or any for administrators; otherwise 404. */
export async function requireOperation(db: Executor, principal: Principal, id: string): Promise<Operation> {
  const row = await findVisibleOperation(db, principal, id)
  if (!row) throw notFound('operation', id)
  return toOperation(row)
}

/** An operation with its result. */
export async function readOperation(db: Executor, principal: Principal, id: string) {
  const operation = await requireOperation(db, principal, id)
  const answer = operation.state === 'finished' ? await findAnswer(db, id) : undefined
  const { domainId } = operation
  // The result of one over many domains has counts only, and names no record.
  const isShown =
    answer !== undefined && (domainId === null || (await stillSees(db, principal, domainId, answer.sight)))
  const { result, problem } = isShown ? answer : { result: null, problem: null }
  return { ...operation, result, problem: problem as Problem | null }
}

/** A result names records: a user whose access was reduced no longer sees it. */
async function stillSees(db: Executor, principal: Principal, domainId: string, sight: string) {
  const domain = await requireDomain(db, principal, domainId, 'read').catch(() => null)
  if (!domain) return false
  const now = sightOf(recordScopeOf(domain, principal))
  return now === EVERYTHING || now === sight
}
