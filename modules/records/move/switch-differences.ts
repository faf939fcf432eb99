import { isDeepStrictEqual } from 'node:util'
import { memberKey } from '../../../dns/names/rrset.ts'
import {
  contentOf,
  describe,
  recordParams,
  type RecordContent,
  type RecordState,
  type Step,
} from '../plan/change.ts'
import type { Plan, Refusal } from '../plan/plan.ts'
import { toContent } from '../list/mapper.ts'
import type { Differences } from '../sync/sync-differences.ts'
import type { Found, ProviderRecords } from '../sync/sync-provider.ts'
import { NEVER_READ, type Holdings } from './copy-plan.ts'

/**
 * Returns what keeps a switch from being safe: records that a copy would still change at the other provider, and records
 * that may be missing because the zone was never imported.
 */
export const missingThere = (
  { steps, refusals }: Plan,
  { isRead, records, unmanaged }: Holdings,
): Refusal[] => [
  ...(isRead ? [] : [neverRead(records.length + unmanaged.length)]),
  ...refusals,
  ...steps.flatMap(({ index, before, after, recordId }): Refusal[] => {
    if (index === null || !after) return []
    const record = { ...after, id: recordId } as RecordState
    const one = { index, kind: 'conflict' as const, errors: [], record }
    if (before === null) {
      const detail = `${describe(after)} is missing`
      return [{ ...one, code: 'missing_there', params: recordParams(after), detail }]
    }
    const fields = fieldsIn(before, after)
    const detail = `${describe(after)} differs in ${fields}`
    return [{ ...one, code: 'differs_there', params: { ...recordParams(after), fields }, detail }]
  }),
]

const neverRead = (index: number): Refusal => {
  const { code, params, message: detail } = NEVER_READ
  return { index, kind: 'conflict', code, params, detail, errors: [], record: null }
}

function fieldsIn(before: RecordContent, after: RecordContent): string {
  const fields = ['ttl', 'proxied', 'enabled', 'comment'] as const
  return fields.filter((field) => before[field] !== after[field]).join(', ')
}

/** Compares by content, because ids of one provider mean nothing to another. `same`: records without visible difference. */
export function compareTo(
  records: RecordState[],
  there: ProviderRecords,
): { differences: Differences; same: { id: string; found: Found }[] } {
  const left = new Map([...there.records.values()].map((found) => [memberKey(found.content), found]))
  const differences: Differences = { created: [], updated: [], deleted: [], unchanged: 0 }
  const same: { id: string; found: Found }[] = []
  for (const record of records) {
    const found = left.get(memberKey(record))
    left.delete(memberKey(record))
    if (!found) {
      differences.deleted.push(record)
      continue
    }
    const comment = found.keepsComment ? found.content.comment : record.comment
    const kept = { ...found, content: { ...found.content, comment } }
    if (isDeepStrictEqual(toContent(record), toContent(kept.content)))
      same.push({ id: record.id, found: kept })
    else differences.updated.push({ id: record.id, before: contentOf(record), found: kept })
  }
  differences.created = [...left.values()]
  differences.unchanged = same.length
  return { differences, same }
}

/** Returns the records of a provider that stores none itself: all supported records of the domain. */
export function heldHere(plan: Plan, ofHost: RecordState[]): ProviderRecords {
  const contents = [...plan.steps.flatMap(({ after }: Step) => after ?? []), ...ofHost.map(contentOf)]
  const records = contents.map((content): [string, Found] => [
    memberKey(content),
    { content, providerId: null, keepsComment: true },
  ])
  return { records: new Map(records), total: records.length, unmanaged: [], soa: null }
}
