import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import type { Archive } from '../../plugins/retention/deletion.ts'
import { toEntry } from './list.ts'
import { deleteEntries, oldestBefore, oldestFirst, type Position } from './queries.ts'

const BATCH = 1_000

/** The audit log, exported as the API returns it. */
export const auditArchive = (db: Kysely<Database>): Archive => ({
  kind: 'audit',
  oldest: (before) => oldestBefore(db, before),
  async *entries(month, limit) {
    let last: Position | null = null
    for (let left = limit; left > 0; left -= BATCH) {
      const rows = await oldestFirst(db, month, last, Math.min(BATCH, left))
      if (rows.length === 0) return
      yield rows.map(toEntry)
      last = rows.at(-1) ?? null
    }
  },
  remove: (ids) => deleteEntries(db, ids),
})
