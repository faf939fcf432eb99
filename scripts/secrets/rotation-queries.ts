import { sql } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { SealedColumn } from './sealed-columns.ts'

export interface SealedRow {
  id: string
  value: Buffer
}

/** Returns the next sealed values by id. */
export async function sealedAfter(
  db: Executor,
  { table, column }: SealedColumn,
  after: string | null,
  limit: number,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select id, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}
  `.execute(db)
  return rows
}

/** Replaces one value, unless the service has changed it meanwhile. */
export async function replaceSealed(
  db: Executor,
  { table, column }: SealedColumn,
  { id, value }: SealedRow,
  sealed: Buffer,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed} where id = ${id} and ${sql.ref(column)} = ${value}
  `.execute(db)
  return numAffectedRows === 1n
}
