import type { ReasonCode } from '../../schemas/codes/reason-codes.ts'
import { parseOwner } from '../../dns/names/names.ts'
import { checkSpf } from '../../dns/mail-policy/spf.ts'
import { isSpf, mergeSpf } from '../../dns/mail-policy/spf-merge.ts'
import { checkValue } from '../../dns/types/index.ts'
import { joinTxt } from '../../dns/types/txt.ts'
import { seesRecord } from '../domains/access/access.ts'
import {
  toContent,
  type DomainRequests,
  type Blocked,
  type RecordState,
  type RequestedChange,
  type ZoneFacts,
} from '../records/service.ts'
import type { PlanBody, TemplateRecord } from './schemas.ts'

/** A record of the template with its final name and value. */
interface Wanted {
  record: TemplateRecord
  name: string
  /** Kept as it is if it can't be normalized; the plan then has the reason. */
  value: string
}

/** Distinguishes TXT records of one name by purpose; each purpose has only one record. */
const kindOf = (text: string): string | null =>
  /^(v=(?:spf1|dmarc1|dkim1|tlsrptv1|stsv1))(?=$|[\s;])/i.exec(text)?.[1]?.toLowerCase() ?? null

/** Types with which records of another service would conflict, because mail then goes to either of them. */
const ALONE: ReadonlySet<string> = new Set(['MX'])

/**
 * Requested changes of a template in a domain. Existing records stay. SPF is merged into the existing record.
 * A text of the same purpose (DMARC, DKIM) or mail servers of another service are reported; with
 * `replaceSets`, existing records of the same name and type are deleted, for texts those of the same purpose.
 */
export function requestsOf(
  records: TemplateRecord[],
  mode: PlanBody['mode'],
  zone: ZoneFacts,
  current: RecordState[],
): DomainRequests {
  const seen = current.filter((state) => seesRecord(zone.scope, state))
  const wanted = records.map((record) => toWanted(record, zone.name))
  const asked: Gathered = { requests: [], blocked: [], warnings: [] }
  const gone = new Set<string>()
  for (const one of wanted) {
    const set = seen.filter(({ name, type }) => name === one.name && type === one.record.recordType)
    const rivals = rivalsOf(one, set, wanted)
    if (mode === 'replaceSets') for (const { id } of rivals) gone.add(id)
    if (set.some(({ value }) => value === one.value)) continue
    if (mode === 'add' && rivals.length > 0) {
      mergeInto(asked, one, rivals)
      continue
    }
    const { recordType, name, value, ttl } = one.record
    asked.requests.push({ action: 'create', recordType, name, value, ...(ttl !== undefined && { ttl }) })
  }
  const deletions = [...gone].map((recordId): RequestedChange => ({ action: 'delete', recordId }))
  return { ...asked, requests: [...deletions, ...asked.requests] }
}

function toWanted(record: TemplateRecord, zone: string): Wanted {
  const owner = parseOwner(record.name, zone)
  const check = checkValue(record.recordType, record.value)
  return { record, name: owner.ok ? owner.name : record.name, value: check.ok ? check.value : record.value }
}

/**
 * Existing records that conflict: the whole RRset except what the template wants, and texts of other
 * purposes.
 */
function rivalsOf({ record, name, value }: Wanted, set: RecordState[], all: Wanted[]): RecordState[] {
  const others = set.filter(
    (state) =>
      !all.some(
        (one) => one.name === name && one.record.recordType === state.type && one.value === state.value,
      ),
  )
  if (record.recordType === 'TXT') {
    const kind = kindOf(joinTxt(value))
    return kind === null ? [] : others.filter((state) => kindOf(joinTxt(state.value)) === kind)
  }
  return ALONE.has(record.recordType) || record.recordType === 'CNAME' ? others : []
}

type Gathered = Required<Omit<DomainRequests, 'groups'>>

/** Merges SPF into the existing record; reports any other conflict. */
function mergeInto(asked: Gathered, one: Wanted, rivals: RecordState[]): void {
  const [there] = rivals
  const text = joinTxt(one.value)
  if (!there) return
  if (one.record.recordType !== 'TXT' || !isSpf(text)) {
    asked.blocked.push(
      blockedBy(there, one, 'template_differs', 'A different record exists, and only one is possible'),
    )
    return
  }
  if (rivals.length > 1) {
    const detail = 'There are several SPF records, which makes all of them invalid; merge them first'
    asked.blocked.push(blockedBy(there, one, 'spf_several', detail))
    return
  }
  const merged = mergeSpf(joinTxt(there.value), text)
  if (merged === null) {
    asked.blocked.push(
      blockedBy(
        there,
        one,
        'spf_differs',
        'The existing SPF record allows senders that the template does not',
      ),
    )
    return
  }
  if (merged === joinTxt(there.value)) return
  asked.requests.push({ action: 'update', recordId: there.id, version: there.version, value: merged })
  const params = { name: there.name, recordType: 'TXT' }
  asked.warnings.push(
    {
      code: 'spf_merged',
      params,
      message: 'SPF terms are added to the existing record, because a name can have only one',
    },
    ...checkSpf(merged).map((warning) => ({ ...warning, params: { ...params, ...warning.params } })),
  )
}

const blockedBy = (
  there: RecordState,
  { record, name }: Wanted,
  code: ReasonCode,
  detail: string,
): Blocked => ({
  recordId: there.id,
  before: toContent(there),
  wanted: { name, recordType: record.recordType, value: record.value },
  kind: 'conflict',
  code,
  params: { name: there.name, recordType: there.type, value: there.value },
  detail,
})
