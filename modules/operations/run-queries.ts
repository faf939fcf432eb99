import { sql } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { allOf, anyOf } from '../../db/expressions.ts'
import { isLeased, takingLeases } from '../../plugins/work/leases-queries.ts'
import { LEASE_SECONDS } from '../../plugins/work/leases.ts'
import type { Origin } from '../../schemas/records/origin.ts'
import type { OperationKind, OperationOutcome } from '../../schemas/operation.ts'

/** An operation that this instance runs. */
export interface ClaimedOperation {
  id: string
  kind: OperationKind
  /** Null: over many domains. */
  domain_id: string | null
  user_id: string
  token_id: string | null
  origin: Origin | null
  ip: string | null
  request_id: string | null
  input: object
  tries: number
  change_id: string | null
  problem: object | null
}

/** What operations are serialized by: their domain; one over many domains is its own subject. */
const SUBJECT = sql<string>`coalesce(operations.domain_id, operations.id)`

// A literal, because the index of unfinished operations has this condition.
const FINISHED = sql.lit('finished' as const)

/** A subject with a waiting operation, and whose it is. */
export interface DueSubject {
  subject: string
  userId: string
}

/**
 * Takes the leases on subjects with waiting operations, the longest waiting first: one for each user, none for users in
 * `except`. A subject whose change is still pending waits for its outcome.
 */
export function takeSubjects(
  db: Executor,
  {
    kinds,
    except,
    limit,
    holder,
  }: { kinds: readonly string[]; except: readonly string[]; limit: number; holder: string },
): Promise<DueSubject[]> {
  const lease = { kind: 'operation', holder, seconds: LEASE_SECONDS } as const
  return db
    .with('waiting', (cte) =>
      cte
        .selectFrom('operations')
        .leftJoin('changes', 'changes.id', 'operations.change_id')
        .select([
          SUBJECT.as('id'),
          sql<string>`(array_agg(user_id order by operations.id))[1]`.as('user_id'),
          sql<string>`min(operations.id::text)`.as('oldest'),
        ])
        .where('state', '<>', FINISHED)
        .where('kind', '=', anyOf(kinds))
        .where((eb) => eb.not(isLeased('operation', SUBJECT)))
        .groupBy(SUBJECT)
        .having(sql`count(*) filter (where changes.status = 'pending')`, '=', 0),
    )
    .with('of_users', (cte) =>
      cte
        .selectFrom('waiting')
        .selectAll()
        .distinctOn('user_id')
        .where('user_id', '<>', allOf(except))
        .orderBy('user_id')
        .orderBy('oldest'),
    )
    .with('due', (cte) => cte.selectFrom('of_users').selectAll().orderBy('oldest').limit(limit))
    .with('taken', (cte) => takingLeases(db, lease, cte.selectFrom('due').select('id')))
    .selectFrom('due')
    .select(['id as subject', 'user_id as userId'])
    .where('id', 'in', (eb) => eb.selectFrom('taken').select('subject'))
    .execute()
}

/** Claims the next operation of a subject if it is the user's. */
export const takeNext = (
  db: Executor,
  {
    subject,
    userId,
    kinds,
    holder,
  }: { subject: string; userId: string; kinds: readonly string[]; holder: string },
): Promise<ClaimedOperation | undefined> =>
  db
    .updateTable('operations')
    .set((eb) => ({
      state: 'running',
      holder,
      tries: eb('tries', '+', 1),
      started_at: sql`coalesce(started_at, now())`,
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('operations')
        .select('id')
        .where(SUBJECT, '=', subject)
        .where('state', '<>', FINISHED)
        .where('kind', '=', anyOf(kinds))
        .orderBy('id')
        .limit(sql.lit(1)),
    )
    .where('user_id', '=', userId)
    .returning(['id', 'kind', 'domain_id', 'user_id', 'token_id', 'origin', 'ip', 'request_id'])
    .returning(['input', 'tries', 'change_id', 'problem'])
    .$castTo<ClaimedOperation>()
    .executeTakeFirst()

interface HeldOperation {
  id: string
  holder: string
}

/** Updates an operation while this instance runs it. */
const updateHeld = (db: Executor, { id, holder }: HeldOperation) =>
  db
    .updateTable('operations')
    .where('operations.id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', 'running')

/** Stores the change of an operation; false if another instance has it. */
export async function noteChange(
  trx: Executor,
  operation: HeldOperation,
  { changeId, total }: { changeId: string; total: number },
): Promise<boolean> {
  const { numUpdatedRows } = await updateHeld(trx, operation)
    .where('change_id', 'is', null)
    .set({ change_id: changeId, total })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the total of an operation without a change; false if another instance has it. */
export async function noteTotal(db: Executor, operation: HeldOperation, total: number): Promise<boolean> {
  const { numUpdatedRows } = await updateHeld(db, operation).set({ total, done: 0 }).executeTakeFirst()
  return numUpdatedRows > 0n
}

export const noteProgress = (db: Executor, operation: HeldOperation, done: number) =>
  updateHeld(db, operation).set({ done }).execute()

/** Keeps the problem until the change is reconciled. */
export const noteProblem = (db: Executor, operation: HeldOperation, problem: object) =>
  updateHeld(db, operation)
    .set({ problem: JSON.stringify(problem) })
    .execute()

/** Gives an operation back that was not begun; it doesn't count as an attempt. */
export const giveBack = (db: Executor, operation: HeldOperation) =>
  updateHeld(db, operation)
    .where('change_id', 'is', null)
    .set((eb) => ({ state: 'waiting', holder: null, tries: eb('tries', '-', 1) }))
    .execute()

export interface ChangeState {
  id: string
  status: 'pending' | 'applied' | 'partial' | 'failed'
  /** Applied items. */
  applied: number
}

/** The change of an operation; undefined if none was begun. */
export const findChange = (db: Executor, id: string): Promise<ChangeState | undefined> =>
  db
    .selectFrom('operations')
    .innerJoin('changes', 'changes.id', 'operations.change_id')
    .select(['changes.id', 'changes.status'])
    .select((eb) =>
      eb
        .selectFrom('change_items')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('change_items.change_id', '=', 'changes.id')
        .where('outcome', '=', 'applied')
        .$asScalar()
        .$notNull()
        .as('applied'),
    )
    .where('operations.id', '=', id)
    .executeTakeFirst()

export interface OperationEnd {
  outcome: OperationOutcome
  done: number
  result: object | null
  problem: object | null
}

/** Ends an operation. Undefined if another instance has it, or it was deleted. */
export const endOperation = (
  trx: Executor,
  operation: HeldOperation,
  { outcome, done, result, problem }: OperationEnd,
): Promise<{ done: number; total: number; domainName: string | null } | undefined> =>
  updateHeld(trx, operation)
    .set((eb) => ({
      state: 'finished',
      outcome,
      input: null,
      done: outcome === 'succeeded' ? eb.ref('total') : done,
      result: result && JSON.stringify(result),
      problem: problem && JSON.stringify(problem),
      finished_at: sql`now()`,
    }))
    .returning(['done', 'total'])
    .returning((eb) =>
      eb.selectFrom('domains').select('name').whereRef('domains.id', '=', 'domain_id').as('domainName'),
    )
    .executeTakeFirst()
