import { sql } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { isLeased, takingLeases } from '../../plugins/work/leases-queries.ts'
import { LEASE_SECONDS } from '../../plugins/work/leases.ts'
import type { Origin } from '../../schemas/origin.ts'
import type { OperationKind, OperationOutcome } from '../../schemas/operation.ts'
import type { Role } from '../../schemas/people/user.ts'

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
const SUBJECT = sql`coalesce(operations.domain_id, operations.id)`

/** A subject with a waiting operation, and whose it is. */
export interface DueSubject {
  subject: string
  userId: string
}

/**
 * Takes the leases on subjects with waiting operations, the longest waiting first: one for each user, none for users in
 * `except`. A subject whose change is still pending waits for its outcome.
 */
export async function takeSubjects(
  db: Executor,
  {
    kinds,
    except,
    limit,
    holder,
  }: { kinds: readonly string[]; except: readonly string[]; limit: number; holder: string },
): Promise<DueSubject[]> {
  const lease = { kind: 'operation', holder, seconds: LEASE_SECONDS } as const
  const { rows } = await sql<DueSubject>`
    with waiting as (
      select ${SUBJECT} as id, (array_agg(user_id order by operations.id))[1] as user_id,
        min(operations.id::text) as oldest
      from operations left join changes on changes.id = operations.change_id
      where state <> 'finished' and kind = any(${kinds}::text[])
        and not ${isLeased('operation', SUBJECT)}
      group by 1 having count(*) filter (where changes.status = 'pending') = 0
    ), of_users as (
      select distinct on (user_id) * from waiting where user_id <> all(${except}::uuid[]) order by user_id, oldest
    ), due as (select * from of_users order by oldest limit ${limit}),
    taken as (${takingLeases(lease, sql`due`)})
    select id as subject, user_id as "userId" from due where id in (select subject from taken)
  `.execute(db)
  return rows
}

/** Claims the next operation of a subject if it is the user's. */
export async function takeNext(
  db: Executor,
  {
    subject,
    userId,
    kinds,
    holder,
  }: { subject: string; userId: string; kinds: readonly string[]; holder: string },
): Promise<ClaimedOperation | undefined> {
  const { rows } = await sql<ClaimedOperation>`
    update operations set state = 'running', holder = ${holder}, tries = tries + 1,
      started_at = coalesce(started_at, now())
    where id = (
      select id from operations where ${SUBJECT} = ${subject} and state <> 'finished' and kind = any(${kinds}::text[])
      order by id limit 1
    ) and user_id = ${userId}
    returning id, kind, domain_id, user_id, token_id, origin, ip, request_id, input, tries, change_id, problem
  `.execute(db)
  return rows[0]
}

/** The user who started it; undefined if disabled. */
export async function findOwner(
  db: Executor,
  userId: string,
): Promise<{ userId: string; username: string; role: Role } | undefined> {
  const { rows } = await sql<{ userId: string; username: string; role: Role }>`
    select id as "userId", username, role from users where id = ${userId} and disabled_at is null
  `.execute(db)
  return rows[0]
}

interface HeldOperation {
  id: string
  holder: string
}

/** Stores the change of an operation; false if another instance has it. */
export async function noteChange(
  trx: Executor,
  { id, holder }: HeldOperation,
  { changeId, total }: { changeId: string; total: number },
): Promise<boolean> {
  const { rows } = await sql`
    update operations set change_id = ${changeId}, total = ${total}
    where id = ${id} and holder = ${holder} and state = 'running' and change_id is null returning id
  `.execute(trx)
  return rows.length > 0
}

/** Stores the total of an operation without a change; false if another instance has it. */
export async function noteTotal(
  db: Executor,
  { id, holder }: HeldOperation,
  total: number,
): Promise<boolean> {
  const { rows } = await sql`
    update operations set total = ${total}, done = 0
    where id = ${id} and holder = ${holder} and state = 'running' returning id
  `.execute(db)
  return rows.length > 0
}

export const noteProgress = (db: Executor, { id, holder }: HeldOperation, done: number) =>
  sql`
    update operations set done = ${done} where id = ${id} and holder = ${holder} and state = 'running'
  `.execute(db)

/** Keeps the problem until the change is reconciled. */
export const noteProblem = (db: Executor, { id, holder }: HeldOperation, problem: object) =>
  sql`
    update operations set problem = ${JSON.stringify(problem)} where id = ${id} and holder = ${holder} and state = 'running'
  `.execute(db)

/** Gives an operation back that was not begun; it doesn't count as an attempt. */
export const giveBack = (db: Executor, { id, holder }: HeldOperation) =>
  sql`
    update operations set state = 'waiting', holder = null, tries = tries - 1
    where id = ${id} and holder = ${holder} and state = 'running' and change_id is null
  `.execute(db)

export interface ChangeState {
  id: string
  status: 'pending' | 'applied' | 'partial' | 'failed'
  /** Applied items. */
  applied: number
}

/** The change of an operation; undefined if none was begun. */
export async function findChange(db: Executor, id: string): Promise<ChangeState | undefined> {
  const { rows } = await sql<ChangeState>`
    select changes.id, changes.status, (
      select count(*)::int from change_items where change_items.change_id = changes.id and outcome = 'applied'
    ) as applied
    from operations join changes on changes.id = operations.change_id where operations.id = ${id}
  `.execute(db)
  return rows[0]
}

export interface OperationEnd {
  outcome: OperationOutcome
  done: number
  result: object | null
  problem: object | null
}

/** Ends an operation. Undefined if another instance has it, or it was deleted. */
export async function endOperation(
  trx: Executor,
  { id, holder }: HeldOperation,
  { outcome, done, result, problem }: OperationEnd,
): Promise<{ done: number; total: number; domainName: string | null } | undefined> {
  const { rows } = await sql<{ done: number; total: number; domainName: string | null }>`
    update operations set state = 'finished', outcome = ${outcome}, input = null,
      done = case when ${outcome}::text = 'succeeded' then total else ${done}::int end,
      result = ${result && JSON.stringify(result)}, problem = ${problem && JSON.stringify(problem)}, finished_at = now()
    where operations.id = ${id} and holder = ${holder} and state = 'running'
    returning done, total, (select name from domains where id = domain_id) as "domainName"
  `.execute(trx)
  return rows[0]
}
