import { seesRecord, type RecordScope } from '../../../domains/access/access.ts'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RecordContent, RecordState } from '../../plan/change.ts'
import { describeItem, isEqual, toRequest, withoutReplaced } from '../states.ts'
import { expandGroups, type DomainRequests, type Blocked } from '../../bulk/planned.ts'
import { toContent } from '../../list/mapper.ts'
import type { ChangedRecord, DoneDomain, DoneItem } from './queries.ts'

/** What an operation changed in one domain, and what was changed there since. */
export interface Done extends Pick<DoneDomain, 'is_unsettled' | 'is_switched'> {
  items: readonly DoneItem[]
  since: readonly ChangedRecord[]
}

interface Item extends Pick<DoneItem, 'record_id' | 'before' | 'after'> {
  current: RecordState | null
}

/**
 * Returns the requests that revert an operation in one domain. Records that are as before need none. RRsets that were
 * changed since are left alone and returned as blocked; records that the caller does not see are only counted.
 */
export function requestsToRevert(
  done: Done,
  scope: RecordScope,
  records: readonly RecordState[],
): DomainRequests {
  if (done.is_unsettled) return { requests: [], blocked: [unsettled()] }
  const byId = new Map(records.map((record) => [record.id, record]))
  const all = inWhole(done.items).map((item) => ({ ...item, current: byId.get(item.record_id) ?? null }))
  const touched = new Set(done.items.map(({ record_id }) => record_id))
  const others = new Set(records.filter(({ id }) => !touched.has(id)).map(keyOf))
  const open = all.filter((item) => !isReverted(item, others))
  const seen = open.filter((item) => sidesOf(item).some(isSeen))
  const cnames = all.flatMap(sidesOf).filter(({ type }) => type === 'CNAME')
  const namesOfCnames = new Set(cnames.map(({ name }) => name))
  const groups = seen.map((item) => groupsIn(item, namesOfCnames))
  const changed = changedSets(
    done.since.filter(({ record_id }) => !touched.has(record_id)),
    all,
  )
  const isInTheWay = (item: Item) =>
    !isEqual(item.current, item.after) ||
    !sidesOf(item).every(isSeen) ||
    sidesOf(item).some((side) => changed.has(setOf(side)))
  const kept = expandGroups(
    groups,
    seen.flatMap((item, index) => (isInTheWay(item) ? [index] : [])),
  )
  const going = seen.flatMap((item, index) =>
    kept.has(index) ? [] : [{ item, groups: groups[index] ?? [] }],
  )
  const unseen = open.length - seen.length
  return {
    requests: going.flatMap(({ item: { record_id, current, before } }) =>
      toRequest(record_id, current, before, done.is_switched),
    ),
    groups: going.map((one) => one.groups),
    blocked: [
      ...(unseen > 0 ? [hidden(unseen)] : []),
      ...seen.flatMap((item, index) =>
        kept.has(index) ? (sidesOf(item).every(isSeen) ? changedSince(item, isSeen) : hidden(1)) : [],
      ),
    ],
  }

  function isSeen(content: RecordContent) {
    return seesRecord(scope, content)
  }
}

/** Merges the changes of each record by the operation. */
function inWhole(items: readonly DoneItem[]): Pick<Item, 'record_id' | 'before' | 'after'>[] {
  const byRecord = new Map<string, Pick<Item, 'record_id' | 'before' | 'after'>>()
  for (const { record_id, before, after } of items) {
    byRecord.set(record_id, { record_id, before: (byRecord.get(record_id) ?? { before }).before, after })
  }
  return [...byRecord.values()].filter(({ before, after }) => !isEqual(before, after))
}

/**
 * Whether a record is as before. `others`: records that the operation did not touch, which may include a
 * recreated one.
 */
function isReverted({ before, after, current }: Item, others: ReadonlySet<string>): boolean {
  if (current !== null || before !== null) {
    return isEqual(current, before) || (current === null && before !== null && others.has(keyOf(before)))
  }
  return after === null || !others.has(keyOf(after))
}

/** Returns the RRsets in which records that the operation did not touch were changed since. */
function changedSets(since: readonly ChangedRecord[], items: readonly Item[]): Set<string> {
  const gone = items.filter(({ current }) => current === null)
  const cameBack = new Set(gone.flatMap(({ before }) => (before ? [keyOf(before)] : [])))
  const differing = withoutReplaced(since.filter(({ before, current }) => !isEqual(before, current))).filter(
    ({ before, current }) => before !== null || current === null || !cameBack.has(keyOf(current)),
  )
  return new Set(differing.flatMap(({ before, current }) => contentsOf(before, current).map(setOf)))
}

const contentsOf = (...sides: (RecordContent | null)[]) => sides.filter((side) => side !== null)
const sidesOf = ({ before, after }: Pick<Item, 'before' | 'after'>) => contentsOf(before, after)
const keyOf = (content: RecordContent) => JSON.stringify(toContent(content))
const setOf = ({ name, type }: RecordContent) => rrsetKey({ name, type })

/** Returns the groups of an item: its RRset, or the whole name if a CNAME is replaced by other records or vice versa. */
function groupsIn(item: Item, namesOfCnames: ReadonlySet<string>): string[] {
  return sidesOf(item).map((side) => (namesOfCnames.has(side.name) ? side.name : setOf(side)))
}

const nothing = { recordId: null, before: null, wanted: null, kind: 'conflict', params: {} }

const unsettled = (): Blocked => ({
  ...nothing,
  code: 'change_unsettled',
  detail: 'The outcome of the operation in this domain is still pending',
})

const hidden = (count: number): Blocked => ({
  ...nothing,
  kind: 'forbidden',
  code: 'records_hidden',
  params: { count },
  detail: `Changed records that you cannot see: ${count}`,
})

function changedSince(item: Item, isSeen: (content: RecordContent) => boolean): Blocked {
  const { before, after, current } = item
  const shown = current && isSeen(current) ? current : null
  const { name, type } = (after ?? before) as RecordContent
  // If the record itself is unchanged, others of its RRset were changed.
  const what = isEqual(current, after) ? `${name} ${type}` : describeItem(item)
  return {
    ...nothing,
    recordId: shown?.id ?? null,
    before: shown && toContent(shown),
    wanted: before && { name: before.name, recordType: before.type, value: before.value },
    code: 'changed_since',
    params: { what },
    detail: `${what} was changed since; revert the newer change first`,
  }
}
