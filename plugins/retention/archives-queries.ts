import { sql } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { ArchivesTable } from '../../db/tables/index.ts'

export type Kind = ArchivesTable['kind']

/** A file of a month (`2026-11`). */
export interface Part {
  month: string
  /** From 1. */
  part: number
  isWritten: boolean
}

/** The first day of the month that is `months` months ago, by the clock of the database, in UTC. */
export async function startOfKept(db: Executor, months: number): Promise<Date> {
  const { rows } = await sql<{ start: Date }>`
    select (date_trunc('month', now() at time zone 'utc') - make_interval(months => ${months})) at time zone 'utc' as start
  `.execute(db)
  return (rows[0] as { start: Date }).start
}

/** Parts whose entries are not all deleted, oldest first. */
export const unfinishedParts = (db: Executor, kind: Kind): Promise<Part[]> =>
  db
    .selectFrom('archives')
    .select(['month', 'part', sql<boolean>`written_at is not null`.as('isWritten')])
    .where('kind', '=', kind)
    .where('finished_at', 'is', null)
    .orderBy('month')
    .orderBy('part')
    .execute()

/** Begins the next part of a month. */
export async function beginPart(db: Executor, kind: Kind, month: string): Promise<Part> {
  const { part } = await db
    .insertInto('archives')
    .values((eb) => ({
      kind,
      month,
      part: eb
        .selectFrom('archives as earlier')
        .select(sql<number>`coalesce(max(earlier.part), 0) + 1`.as('part'))
        .where('earlier.kind', '=', kind)
        .where('earlier.month', '=', month),
    }))
    .returning('part')
    .executeTakeFirstOrThrow()
  return { month, part, isWritten: false }
}

const thePart = (db: Executor, kind: Kind, { month, part }: Part) =>
  db.updateTable('archives').where('kind', '=', kind).where('month', '=', month).where('part', '=', part)

/** From now on, entries of the part may be deleted. */
export const storeWritten = (db: Executor, kind: Kind, part: Part, rows: number) =>
  thePart(db, kind, part)
    .set({ rows, written_at: sql`now()` })
    .execute()

export const storeFinished = (db: Executor, kind: Kind, part: Part) =>
  thePart(db, kind, part)
    .set({ finished_at: sql`now()` })
    .execute()

/** Takes back a part that turned out to be empty. */
export const dropPart = (db: Executor, kind: Kind, { month, part }: Part) =>
  db
    .deleteFrom('archives')
    .where('kind', '=', kind)
    .where('month', '=', month)
    .where('part', '=', part)
    .execute()

/** The last month of which anything may have been deleted; null: nothing was. */
export async function lastDeletedMonth(db: Executor, kind: Kind): Promise<string | null> {
  const { month } = await db
    .selectFrom('archives')
    .select(sql<string | null>`max(month)`.as('month'))
    .where('kind', '=', kind)
    .where('written_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return month
}
