import { sql } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { inSeconds } from '../../db/expressions.ts'
import type { DueTime } from './due-times-queries.ts'
import { LEASE_SECONDS } from './leases.ts'

export const TASKS_DUE: DueTime = {
  table: 'scheduled_tasks',
  column: 'due_at',
  longest: sql`greatest(period_seconds, ${sql.lit(LEASE_SECONDS)})`,
}

/** The next multiple of the period since 1970. */
const nextTurn = (period: ReturnType<typeof sql<number>>) =>
  sql<Date>`to_timestamp((floor(extract(epoch from now()) / ${period}) + 1) * ${period})`

/** Stores new tasks, due at their next turn, and the periods of known ones. */
export async function storeTasks(
  db: Executor,
  tasks: readonly { name: string; seconds: number }[],
): Promise<void> {
  if (tasks.length === 0) return
  await db
    .insertInto('scheduled_tasks')
    .values(
      // In one order, so that instances that start together don't wait for each other.
      tasks
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, seconds }) => ({ name, period_seconds: seconds, due_at: nextTurn(sql.lit(seconds)) })),
    )
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ period_seconds: sql`excluded.period_seconds` }),
    )
    .execute()
}

interface Claim {
  holder: string
  /** Until the claim lapses. */
  seconds: number
}

/** Claims those of these tasks that are due, the longest waiting first; returns their names. */
export async function claimTasks(
  db: Executor,
  { names, holder, seconds, limit }: Claim & { names: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await db
    .with('due', (cte) =>
      cte
        .selectFrom('scheduled_tasks')
        .select('name')
        .where('due_at', '<=', sql<Date>`now()`)
        .where('name', 'in', names)
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('scheduled_tasks')
    .from('due')
    .whereRef('scheduled_tasks.name', '=', 'due.name')
    .set({ holder, due_at: inSeconds(seconds) })
    .returning('scheduled_tasks.name')
    .execute()
  return rows.map(({ name }) => name)
}

const heldBy = (db: Executor, holder: string) =>
  db.updateTable('scheduled_tasks').where('holder', '=', holder)

export const renewTasks = (db: Executor, { names, holder, seconds }: Claim & { names: readonly string[] }) =>
  heldBy(db, holder)
    .where('name', 'in', names)
    .set({ due_at: inSeconds(seconds) })
    .execute()

/** Ends the claim; the task is due at its next turn, or after `retrySeconds` if that is sooner. */
export const finishTask = (
  db: Executor,
  { name, holder, retrySeconds }: { name: string; holder: string; retrySeconds?: number },
) => {
  const turn = nextTurn(sql.ref('period_seconds'))
  const due = retrySeconds === undefined ? turn : sql<Date>`least(${turn}, ${inSeconds(retrySeconds)})`
  return heldBy(db, holder).where('name', '=', name).set({ holder: null, due_at: due }).execute()
}
