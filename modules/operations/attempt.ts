import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import type { Installation } from '../../plugins/installation.ts'
import type { Leases } from '../../plugins/work/leases.ts'
import type { OperationKind, OperationOutcome } from '../../schemas/operation.ts'
import { callerLater } from '../../plugins/security/access/caller-later.ts'
import { problemOf } from '../../plugins/http/errors.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { OperationRun, OperationWork } from './contract.ts'
import { givenUp, interrupted, OperationLeft } from './errors.ts'
import {
  endOperation,
  findChange,
  giveBack,
  noteChange,
  noteProblem,
  noteTotal,
  type ChangeState,
  type OperationEnd,
  type ClaimedOperation,
} from './run-queries.ts'

/** What running operations needs of the app. */
export interface RunnerContext {
  db: Kysely<Database>
  leases: Leases
  installation: Installation
  works: ReadonlyMap<OperationKind, OperationWork>
  /** Reports an error that the user didn't cause. */
  report: (error: unknown, subject: { operationId?: string; subject?: string }) => void
  /** Called for each operation that ended. */
  ended: (kind: OperationKind, outcome: OperationOutcome) => void
}

/** Attempts at one operation, after which one that keeps crashing its instance is given up. */
const MAX_TRIES = 3

/** Outcomes by the status of the change. */
const OUTCOMES = { applied: 'succeeded', partial: 'partly', failed: 'failed' } as const

/** The result of the work, or its error. */
interface WorkResult {
  result: object | null
  error: unknown
  /** Parts done without a change. */
  done: number
}

type Signals = Omit<OperationRun, 'operationId' | 'opens' | 'starts'>

/**
 * Runs an operation, or ends it by its change if the instance that ran it died. Returns false if it is not over: its
 * change has to be reconciled first, or it gets another attempt.
 */
export async function runOperation(
  context: RunnerContext,
  operation: ClaimedOperation,
  signals: Signals,
): Promise<boolean> {
  const isBegun = operation.change_id !== null
  if (!isBegun && operation.tries > MAX_TRIES)
    return endWithoutChange(context, operation, failedWith(givenUp()), true)
  const workResult = isBegun ? failedWith(interrupted()) : await attempt(context, operation, signals)
  const change = await findChange(context.db, operation.id)
  return change
    ? endByChange(context, operation, workResult, change)
    : endWithoutChange(context, operation, workResult, false)
}

const failedWith = (error: unknown, done = 0): WorkResult => ({ result: null, error, done })

async function attempt(
  { db, leases: { holder }, works, installation }: RunnerContext,
  operation: ClaimedOperation,
  signals: Signals,
): Promise<WorkResult> {
  const mine = { id: operation.id, holder }
  let done = 0
  const run: OperationRun = {
    ...signals,
    operationId: operation.id,
    async opens(trx, changeId, total) {
      const isOurs = !signals.stopping.aborted && (await noteChange(trx, mine, { changeId, total }))
      if (!isOurs) throw new OperationLeft()
    },
    async starts(total) {
      const isOurs = !signals.stopping.aborted && (await noteTotal(db, mine, total))
      if (!isOurs) throw new OperationLeft()
    },
    progress(count) {
      done = count
      signals.progress(count)
    },
  }
  try {
    const { user_id: userId, token_id: tokenId, origin, ip, request_id: requestId } = operation
    const asked = { userId, tokenId, origin: origin ?? 'api', ip: ip ?? '', requestId: requestId ?? '' }
    const caller = await callerLater(db, installation, asked)
    const work = works.get(operation.kind) as OperationWork
    return {
      result: await work(caller, operation.domain_id ?? '', operation.input as never, run),
      error: null,
      done,
    }
  } catch (error) {
    return failedWith(error, done)
  }
}

/** Ends the operation by its change, whatever the work returned. */
async function endByChange(
  context: RunnerContext,
  operation: ClaimedOperation,
  { result, error }: WorkResult,
  { id: changeId, status, applied }: ChangeState,
): Promise<boolean> {
  const problem = operation.problem ?? (error === null ? null : problemFor(operation, error))
  if (status === 'pending') {
    if (problem) await noteProblem(context.db, { id: operation.id, holder: context.leases.holder }, problem)
    return false
  }
  const outcome = OUTCOMES[status]
  const why =
    outcome === 'succeeded' ? null : { ...(problem ?? problemFor(operation, interrupted())), changeId }
  return end(context, operation, { outcome, done: applied, result, problem: why })
}

/** Ends the operation, or leaves it to another attempt unless `isFinal`. No records were changed. */
async function endWithoutChange(
  context: RunnerContext,
  operation: ClaimedOperation,
  { result, error, done }: WorkResult,
  isFinal: boolean,
): Promise<boolean> {
  const { db, leases, report } = context
  if (error === null) return end(context, operation, { outcome: 'succeeded', done, result, problem: null })
  if (error instanceof OperationLeft) {
    await giveBack(db, { id: operation.id, holder: leases.holder })
    return false
  }
  const problem = problemFor(operation, error)
  const isPassing = problem.code === 'unavailable'
  if (isPassing || problem.code === 'internal') report(error, { operationId: operation.id })
  if (isPassing && !isFinal) return false
  return end(context, operation, { outcome: done > 0 ? 'partly' : 'failed', done, result: null, problem })
}

const problemFor = ({ id, request_id }: ClaimedOperation, error: unknown) =>
  problemOf(error as Error, { id: request_id ?? id })

/** False if another instance has the operation, or its domain was deleted. */
async function end(
  { db, leases, ended }: RunnerContext,
  operation: ClaimedOperation,
  how: OperationEnd,
): Promise<boolean> {
  const { id, kind, user_id: userId, domain_id: domainId } = operation
  const { outcome } = how
  const isEnded = await db.transaction().execute(async (trx) => {
    const row = await endOperation(trx, { id, holder: leases.holder }, how)
    if (!row) return false
    const { domainName, done, total } = row
    await announce(trx, outcome === 'succeeded' ? 'operation.finished' : 'operation.failed', {
      metadata: { domainId, domainName, operationId: id, kind, outcome, done, total },
      actorId: null,
      userIds: [userId],
    })
    return true
  })
  if (isEnded) ended(kind, outcome)
  return isEnded
}
