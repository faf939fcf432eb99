import type { Kysely } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import type { Archive } from '../../../plugins/retention/deletion.ts'
import {
  ALL_RECORDS,
  changesOfMonth,
  deleteChanges,
  itemsAfter,
  oldestSettled,
  type ArchivedRow,
} from './archive-queries.ts'
import { toHistoryEntry } from './history.ts'
import { itemsOf, type ItemRow } from './history-queries.ts'
import { laterOf, type LaterRow } from './later-queries.ts'

/** Changes read at a time. */
const BATCH = 200
/** Items of one line; a larger change continues on further lines. */
const LINE_ITEMS = 250

/** Changes as the API returns them, each with its domain. */
export const historyArchive = (db: Kysely<Database>): Archive => ({
  kind: 'history',
  oldest: (before) => oldestSettled(db, before),
  async *entries(month, limit) {
    let last: string | null = null
    for (let left = limit; left > 0; left -= BATCH) {
      const changes: ArchivedRow[] = await changesOfMonth(db, month, last, Math.min(BATCH, left))
      if (changes.length === 0) return
      const ids = changes.map(({ id }) => id)
      const [items, later] = await Promise.all([itemsOf(db, ids, ALL_RECORDS, LINE_ITEMS), laterOf(db, ids)])
      const byChange = Map.groupBy(items, (item) => item.change_id)
      const small = changes.filter(({ item_count: count }) => count <= LINE_ITEMS)
      yield small.map((change) => toLine(change, byChange.get(change.id) ?? [], later.get(change.id)))
      for (const change of changes) {
        let part: ItemRow[] = change.item_count > LINE_ITEMS ? (byChange.get(change.id) ?? []) : []
        while (part.length > 0) {
          yield [toLine(change, part, later.get(change.id))]
          part = await itemsAfter(db, change.id, (part.at(-1) as ItemRow).position, LINE_ITEMS)
        }
      }
      last = ids.at(-1) ?? null
    }
  },
  remove: (ids) => deleteChanges(db, ids),
})

const toLine = (change: ArchivedRow, items: ItemRow[], later: LaterRow | undefined) => ({
  domainId: change.domain_id,
  domainName: change.domain_name,
  ...toHistoryEntry(change, items, ALL_RECORDS, later),
})
