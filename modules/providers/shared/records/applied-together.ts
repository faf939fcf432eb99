import { isDeepStrictEqual } from 'node:util'
import type { ChangeOutcome, Member, RRsetEdit, Unfinished } from '../../contract.ts'
import { outcomesOf, planRecords, writesOf, type HeldRecord, type PlannedRecord } from './edited-records.ts'

const MAX_TRIES = 4

interface Transaction {
  /** The records of each edit. */
  read: () => Promise<HeldRecord[][]>
  /** Returns the id of each, and of a change that is still in progress. */
  write: (
    writes: readonly { edit: RRsetEdit; record: PlannedRecord }[],
  ) => Promise<{ ids: readonly (string | null)[]; change?: string }>
  /** Nothing was written because others changed records in the meantime. */
  isOutdated: (error: unknown) => boolean
  ttlOf?: (member: Member, ttl: number | null) => number | null
}

/** Applies the edits where the provider takes all changes of records in one transaction. */
export async function applyTogether(
  edits: readonly RRsetEdit[],
  { read, write, isOutdated, ttlOf = (_, ttl) => ttl }: Transaction,
): Promise<ChangeOutcome[][] | Unfinished> {
  let sets = await read()
  for (let tries = 1; ; tries++) {
    const plans = edits.map((edit, at) => planRecords(edit, sets[at] ?? [], (one) => ttlOf(one, edit.ttl)))
    const editOf = new Map(
      edits.flatMap((edit, at) => (plans[at] ?? []).map((record) => [record, edit] as const)),
    )
    const records = writesOf(plans.flat())
    const writes = records.flatMap((record) => {
      const edit = editOf.get(record)
      return edit === undefined ? [] : [{ edit, record }]
    })
    try {
      const { ids, change } = writes.length === 0 ? { ids: [] } : await write(writes)
      const done = new Map<PlannedRecord, ChangeOutcome>(
        records.map((record, at) => [record, { ok: true, providerId: ids[at] ?? null }]),
      )
      const outcomes = edits.map((edit, at) => outcomesOf(edit, plans[at] ?? [], done))
      return change === undefined ? outcomes : { outcomes, change }
    } catch (error) {
      if (tries === MAX_TRIES || !isOutdated(error)) throw error
      const before = sets
      sets = await read()
      // Unchanged: it was refused for another reason.
      if (isDeepStrictEqual(before, sets)) throw error
    }
  }
}
