import { forbidden } from '../../../plugins/http/errors.ts'
import { seesRecord, type RecordScope } from '../../domains/access/access.ts'
import type { RecordContent, RequestedChange } from '../plan/change.ts'
import { toContent } from '../list/mapper.ts'

export interface StateThen {
  record_id: string
  before: RecordContent | null
  current: RecordContent | null
}

/** Returns the items that the caller sees. Rejects with 403 when a record was moved into or out of their scope. */
export function withinScope<T>(
  items: T[],
  scope: RecordScope,
  contents: (item: T) => (RecordContent | null)[],
): T[] {
  return items.filter((item) => {
    const seen = new Set(contents(item).flatMap((content) => (content ? [seesRecord(scope, content)] : [])))
    if (seen.size > 1) throw crossesBorder()
    return !seen.has(false)
  })
}

const crossesBorder = () =>
  forbidden(
    'A record was moved into or out of the names you can see; reverting it needs permissions for both names',
  )

/** Drops pairs of a deleted and an identical new record: recreating a record makes no difference. */
export function withoutReplaced(states: StateThen[]): StateThen[] {
  const gone = new Map(
    states
      .filter(({ before, current }) => before && !current)
      .map((state) => [JSON.stringify(toContent(state.before as RecordContent)), state]),
  )
  const dropped = new Set<StateThen>()
  for (const state of states.filter(({ before, current }) => !before && current)) {
    const twin = gone.get(JSON.stringify(toContent(state.current as RecordContent)))
    if (twin && !dropped.has(twin)) dropped.add(twin).add(state)
  }
  return states.filter((state) => !dropped.has(state))
}

/** Returns the request that changes a record to `wanted`. `isForeign`: it was served by another provider then. */
export function toRequest(
  recordId: string,
  current: RecordContent | null,
  wanted: RecordContent | null,
  isForeign: boolean,
): RequestedChange[] {
  if (!wanted) return current ? [{ action: 'delete', recordId }] : []
  const { type: recordType, extra, ...said } = wanted
  const fields = isForeign ? said : { ...said, extra }
  if (!current) return [{ action: 'create', recordType, ...fields }]
  return [{ action: 'update', recordId, recordType, ...fields }]
}

export const isEqual = (a: RecordContent | null, b: RecordContent | null) =>
  a === b || (a !== null && b !== null && JSON.stringify(toContent(a)) === JSON.stringify(toContent(b)))

export const describeItem = ({
  before,
  after,
}: {
  before: RecordContent | null
  after: RecordContent | null
}) => {
  const { name, type, value } = (after ?? before) as RecordContent
  return `${name} ${type} ${value.slice(0, 60)}`
}
