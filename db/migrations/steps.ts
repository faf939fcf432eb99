import { sql } from 'kysely'
import type { BatchStep, SessionStep } from './migration.ts'

/**
 * Builds an index while the table is read and written. `definition` is what stands after `on`. An invalid index of an
 * interrupted attempt is dropped first.
 */
export const createIndex = (name: string, definition: string, { unique = false } = {}): SessionStep => ({
  async run(session) {
    const { rows } = await sql`
      select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid
    `.execute(session)
    if (rows.length > 0) await sql`drop index concurrently ${sql.id(name)}`.execute(session)
    const kind = sql.raw(unique ? 'unique index' : 'index')
    await sql`create ${kind} concurrently if not exists ${sql.id(name)} on ${sql.raw(definition)}`.execute(
      session,
    )
  },
})

/**
 * Checks the rows of a table against a constraint that `up` added as `not valid`, while they are read and written.
 */
export const validateConstraint = (table: string, constraint: string): SessionStep => ({
  async run(session) {
    await sql`alter table ${sql.id(table)} validate constraint ${sql.id(constraint)}`.execute(session)
  },
})

/** Updates the rows of a table that match `where`, in the order of its primary key `key`. `set` and `where` are SQL. */
export const updateInBatches = (
  table: string,
  { set, where, key = 'id' }: { set: string; where: string; key?: string },
): BatchStep => ({
  table,
  async batch(trx, { after, size }) {
    const [target, column] = [sql.table(table), sql.id(key)]
    const start = after === null ? sql`true` : sql`${column} > ${after}`
    const { rows } = await sql<{ last: string | null; rows: number }>`
      with part as (select ${column} as key from ${target} where ${start} order by ${column} limit ${size}),
      changed as (
        update ${target} set ${sql.raw(set)} from part
        where ${sql.id(table, key)} = part.key and (${sql.raw(where)})
      )
      select (select key::text from part order by part.key desc limit 1) as last, (select count(*)::int from part) as rows
    `.execute(trx)
    const [{ last, rows: count } = { last: null, rows: 0 }] = rows
    return last === null ? null : { last, rows: count }
  },
})
