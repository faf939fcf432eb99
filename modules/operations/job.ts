import {
  findLackingFactor,
  findTokenGrant,
  secondFactorRequired,
  type Caller,
} from '../../plugins/security/access/index.ts'
import { problemOf } from '../../plugins/http/errors.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { RunnerContext } from './context.ts'
import type { OperationRun, OperationWork } from './contract.ts'
import { gaveUp, interrupted, OperationLeft, ownerDisabled, tokenEnded } from './errors.ts'
import {
  endOperation,
  findChange,
  findOwner,
  giveBack,
  noteChange,
  noteProblem,
  noteTotal,
  type ChangeState,
  type End,
  type Job,
} from './run-queries.ts'

/** Times that one is begun: who ends an instance each time, or meets a fault of the database, is not begun for ever. */
const MAX_TRIES = 3

/** How a change of records ended, as an outcome. */
const OUTCOMES = { applied: 'succeeded', partial: 'partly', failed: 'failed' } as const

/** What the work answered, or why it did not. */
interface Answer {
  result: object | null
  error: unknown
  /** Parts that were done otherwise than by a change. */
  done: number
}

type Signals = Omit<OperationRun, 'operationId' | 'opens' | 'starts'>

/**
 * Does one operation, or says how it ended when the instance that did it is gone. False when it is not over: it waits
 * for its change to be settled, or for another try.
 */
export async function doJob(context: RunnerContext, job: Job, signals: Signals): Promise<boolean> {
  const isBegun = job.change_id !== null
  if (!isBegun && job.tries > MAX_TRIES) return endWithoutChange(context, job, answerOf(gaveUp()), true)
  const answer = isBegun ? answerOf(interrupted()) : await attempt(context, job, signals)
  const change = await findChange(context.db, job.id)
  return change ? endByChange(context, job, answer, change) : endWithoutChange(context, job, answer, false)
}

const answerOf = (error: unknown, done = 0): Answer => ({ result: null, error, done })

async function attempt(
  { db, leases: { holder }, works, installation }: RunnerContext,
  job: Job,
  signals: Signals,
): Promise<Answer> {
  const mine = { id: job.id, holder }
  let done = 0
  const run: OperationRun = {
    ...signals,
    operationId: job.id,
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
    const caller = await callerOf(job)
    const work = works.get(job.kind) as OperationWork
    return { result: await work(caller, job.domain_id ?? '', job.input as never, run), error: null, done }
  } catch (error) {
    return answerOf(error, done)
  }

  /** Who asked for it, with the rights of now. */
  async function callerOf({ user_id, token_id, origin, ip, request_id }: Job): Promise<Caller> {
    const owner = await findOwner(db, user_id)
    if (!owner) throw ownerDisabled()
    const { requireSecondFactor, maxTokenDays } = installation
    const lacking = await findLackingFactor(db, requireSecondFactor, [user_id])
    if (lacking.has(user_id)) throw secondFactorRequired()
    const token = token_id === null ? null : await findTokenGrant(db, token_id, maxTokenDays)
    if (token === undefined) throw tokenEnded()
    return {
      ...owner,
      sessionId: '',
      token,
      origin: origin ?? 'api',
      ip: ip ?? '',
      requestId: request_id ?? '',
    }
  }
}

/** What the change says counts, whatever the work has answered. */
async function endByChange(
  context: RunnerContext,
  job: Job,
  { result, error }: Answer,
  { id: changeId, status, applied }: ChangeState,
): Promise<boolean> {
  const problem = job.problem ?? (error === null ? null : problemFor(job, error))
  if (status === 'pending') {
    if (problem) await noteProblem(context.db, { id: job.id, holder: context.leases.holder }, problem)
    return false
  }
  const outcome = OUTCOMES[status]
  const why = outcome === 'succeeded' ? null : { ...(problem ?? problemFor(job, interrupted())), changeId }
  return end(context, job, { outcome, done: applied, result, problem: why })
}

/** No records here were changed. `isFinal`: it is not tried again. */
async function endWithoutChange(
  context: RunnerContext,
  job: Job,
  { result, error, done }: Answer,
  isFinal: boolean,
): Promise<boolean> {
  const { db, leases, report } = context
  if (error === null) return end(context, job, { outcome: 'succeeded', done, result, problem: null })
  if (error instanceof OperationLeft) {
    await giveBack(db, { id: job.id, holder: leases.holder })
    return false
  }
  const problem = problemFor(job, error)
  const isPassing = problem.code === 'unavailable'
  if (isPassing || problem.code === 'internal') report(error, { operationId: job.id })
  if (isPassing && !isFinal) return false
  return end(context, job, { outcome: done > 0 ? 'partly' : 'failed', done, result: null, problem })
}

const problemFor = ({ id, request_id }: Job, error: unknown) =>
  problemOf(error as Error, { id: request_id ?? id })

/** False when another instance has it by now, or its domain is gone. */
async function end({ db, leases, ended }: RunnerContext, job: Job, how: End): Promise<boolean> {
  const { id, kind, user_id: userId, domain_id: domainId } = job
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
