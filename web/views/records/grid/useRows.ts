import { useMemo, useSyncExternalStore } from 'react'
import { filterOf } from '../../../zone/filter.ts'
import { byDns, byName, byType, byValue } from '../../../zone/order.ts'
import type { SortBy } from './GridHead.tsx'
import { rowOf, statesOf, type DnsRecord, type EditorRow } from '../model.ts'
import type { Staged } from '../review/staged.ts'

const ORDERS = {
  name: byDns,
  type: byType,
  value: byValue,
  ttl: (a: EditorRow['now'], b: EditorRow['now']) => (a.ttl ?? -1) - (b.ttl ?? -1) || byDns(a, b),
}

interface Options {
  records: readonly DnsRecord[] | undefined
  staged: Staged
  filter: string
  by: SortBy
  order: 'asc' | 'desc'
  /** Sorts by name first, apex first. */
  isGrouped: boolean
}

/** Rows of the grid: records with staged edits, filtered and sorted; new records on top. */
export function useRows({ records, staged, filter, by, order, isGrouped }: Options): EditorRow[] {
  const version = useSyncExternalStore(staged.subscribe, staged.version)
  const all = useMemo(() => {
    const made = staged
      .entries()
      .flatMap(([id, edit]): EditorRow[] =>
        edit.kind === 'create' ? [{ id, record: null, edit, now: edit.fields }] : [],
      )
    // A record being created already exists; keep showing the staged one.
    const doubles = new Set(staged.pending.map(([, { tried }]) => tried.recordId))
    for (const [id] of staged.pending) doubles.delete(id)
    const kept = (records ?? []).filter(({ id }) => !doubles.has(id))
    return {
      made,
      kept: kept.map((record) => rowOf(record, staged.of(record.id), staged.isApplied(record.id))),
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `version` stands for the store's content
  }, [records, staged, version])

  return useMemo(() => {
    const test = filterOf(filter)
    const passes = (row: EditorRow) =>
      test === null ||
      test({
        ...row.now,
        ...(row.record && { unicodeName: row.record.unicodeName }),
        states: statesOf(row),
      })
    const compare = ORDERS[by]
    const sign = order === 'desc' ? -1 : 1
    const sorted = all.kept
      .filter(passes)
      .sort((a, b) => (isGrouped && by !== 'name' ? byName(a.now, b.now) : 0) || sign * compare(a.now, b.now))
    return [...all.made.filter(passes).toReversed(), ...sorted]
  }, [all, filter, by, order, isGrouped])
}
