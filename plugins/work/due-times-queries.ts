import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'

/** A column of due times, or of times at which claims lapse. */
export interface DueTime {
  table: string
  column: string
  /** The longest that a row may have to wait from now, in seconds; an SQL expression where it depends on the row. */
  longest: RawBuilder<unknown> | number
  /** The rows that wait; all when missing. */
  where?: RawBuilder<unknown>
}

/** Rows this close to the bound are left alone. */
const TOLERANCE_SECONDS = 1

/** Gives rows that would wait too long their longest delay from now. One update for each table: a statement can't update a row twice. */
export async function boundAll(db: Executor, dueTimes: readonly DueTime[]): Promise<void> {
  const tables = [...Map.groupBy(dueTimes, ({ table }) => table)]
  const parts = tables.map(([table, columns], i) => {
    const bounds = columns.map(({ column, longest, where }) => {
      const name = sql.ref(column)
      const after = (seconds: number) =>
        sql`now() + make_interval(secs => (${typeof longest === 'number' ? sql.lit(longest) : longest})::float8 + ${sql.lit(seconds)})`
      const isBeyond = sql`(${name} > ${after(TOLERANCE_SECONDS)} and ${where ?? sql`true`})`
      return { isBeyond, set: sql`${name} = case when ${isBeyond} then ${after(0)} else ${name} end` }
    })
    return sql`${sql.ref(`due_${i}`)} as (
      update ${sql.table(table)} set ${sql.join(bounds.map(({ set }) => set))}
      where ${sql.join(
        bounds.map(({ isBeyond }) => isBeyond),
        sql` or `,
      )}
    )`
  })
  await sql`with ${sql.join(parts)} select`.execute(db)
}
