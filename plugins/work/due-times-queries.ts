import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'

/** A column of times that something waits for, or until which something is taken. */
export interface DueTime {
  table: string
  column: string
  /** The longest time, in seconds, that a row may have to wait from now; where it depends on the row an SQL expression. */
  longest: RawBuilder<unknown> | number
  /** Which rows wait; all when missing. */
  where?: RawBuilder<unknown>
}

/** Rows that are that close to the bound are left alone. */
const TOLERANCE_SECONDS = 1

/** One statement; what waits too long waits for its longest delay from now. A statement updates a row only once. */
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
