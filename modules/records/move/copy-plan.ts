import type { FieldError } from '../../../plugins/http/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { memberKey } from '../../../dns/names/rrset.ts'
import type { RecordScope } from '../../domains/access/access.ts'
import type { UnmanagedRecord } from '../../providers/contract.ts'
import { zoneFacts } from '../plan/zone-rules.ts'
import {
  describe,
  recordParams,
  type RequestedChange,
  type RecordContent,
  type RecordState,
} from '../plan/change.ts'
import { planChanges, type Plan, type PlanWarning, type Refusal } from '../plan/plan.ts'
import type { ProviderRecords } from '../sync/sync-provider.ts'
import { adapt, isAlike, isOfProvider, type CopyTarget, type Wanted } from './adapted.ts'

/** The records of a domain here. */
export interface Holdings {
  name: string
  /** The caller's scope: the whole domain. */
  scope: RecordScope
  /** In a stable order. */
  records: RecordState[]
  /** As of the last sync. */
  unmanaged: UnmanagedRecord[]
  /** Whether the zone was ever imported. If not, the current provider may hold unknown records. */
  isRead: boolean
}

/** `merge` adds and updates; `replace` also deletes what the domain does not have. */
export type CopyMode = 'merge' | 'replace'

/** Like `replace`, but deletes only those of these identities (`memberKey`). */
type Removal = ReadonlySet<string>

/** Most kept records of the other provider that warnings name. */
const SHOWN_KEPT = 100

/**
 * Plans how to make the provider hold the records of the domain, as far as it supports them. Without I/O. The index of steps
 * and refusals is the position among the domain's records, followed by the unmanaged ones; the id is that of the record
 * here. Records that only the provider holds have a meaningless id.
 */
export async function planCopy(
  here: Holdings,
  host: CopyTarget,
  there: ProviderRecords,
  mode: CopyMode | Removal,
): Promise<Plan> {
  const { provider, defaultTtl } = host
  const { wanted, refusals, warnings } = adapt(here.records, host)
  const held = new Map(
    [...there.records.values()].map(({ content, providerId }): [string, RecordState] => [
      memberKey(content),
      { ...content, id: uuidv7(), version: 1, status: 'active', providerId },
    ]),
  )
  const current = [...held.values()]
  const asked = wanted.flatMap((one) => {
    const found = held.get(memberKey(one.content))
    held.delete(memberKey(one.content))
    return toRequest(one, found ?? null, host).map((request) => ({ request, index: one.index }))
  })
  const surplus = [...held.values()].filter((content) => !isOfProvider(content))
  const goes = (content: RecordContent) =>
    typeof mode === 'string' ? mode === 'replace' : mode.has(memberKey(content))
  const gone = surplus.filter(goes)
  const requests = [
    ...asked.map(({ request }) => request),
    ...gone.map(({ id }): RequestedChange => ({ action: 'delete', recordId: id })),
  ]
  const zone = zoneFacts({ name: here.name, default_ttl: defaultTtl }, provider, here.scope)
  const plan = await planChanges(zone, current, requests, { verbatim: true })
  const indexOf = (request: number | null) => (request === null ? null : (asked[request]?.index ?? null))
  // Records deleted there are not the domain's.
  const beyond = here.records.length + here.unmanaged.length
  const recordOf = (index: number | null) => (index === null ? undefined : here.records[index])
  return {
    steps: plan.steps.map((step) => {
      const index = indexOf(step.index)
      return { ...step, index, recordId: recordOf(index)?.id ?? step.recordId }
    }),
    refusals: [
      ...refusals.map((refusal) => named(refusal, recordOf(refusal.index))),
      ...plan.refusals.map((refusal) => {
        const index = indexOf(refusal.index) ?? beyond + refusal.index
        return named({ ...refusal, index }, recordOf(index))
      }),
      ...unmanagedIn(here, there, host),
    ],
    warnings: [
      ...(here.isRead ? [] : [NEVER_READ]),
      ...warnings,
      ...plan.warnings.map((warning) => ({ ...warning, index: indexOf(warning.index) })),
      ...(mode === 'merge' ? keptThere(surplus, host) : []),
    ],
  }
}

export const NEVER_READ: PlanWarning = {
  index: null,
  code: 'never_synced',
  params: {},
  message: 'The zone has never been imported, so other records of it are not known; sync the domain first',
}

/** Returns the request that creates or updates the record there; none if it is already the same. */
function toRequest(
  { content, record }: Wanted,
  found: RecordState | null,
  host: CopyTarget,
): RequestedChange[] {
  const { type: recordType, routing, extra, ...fields } = content
  // Without extra data here, that of the RRset there stays.
  const besides = isAlike(host) && record.extra !== null ? { routing, extra } : { routing }
  if (!found) return [{ action: 'create', recordType, ...fields, ...besides }]
  const wanted = { ...content, ...unsaid(content, found, host) }
  if (isHeld(wanted, found)) return []
  const { ttl, proxied, enabled, comment } = wanted
  return [{ action: 'update', recordId: found.id, ttl, proxied, enabled, comment }]
}

/** Returns the fields that stay as they are there, because the current provider does not support them. */
function unsaid(
  content: RecordContent,
  found: RecordContent,
  { provider, from }: CopyTarget,
): Partial<RecordContent> {
  const keepsProxy = found.proxied && !from.capabilities.proxied
  const keepsComment = content.comment === '' || !provider.capabilities.comments
  return {
    ...(keepsProxy && { proxied: true, ttl: found.ttl }),
    ...(keepsComment && { comment: found.comment }),
  }
}

const isHeld = (wanted: RecordContent, found: RecordContent) =>
  wanted.ttl === found.ttl &&
  wanted.proxied === found.proxied &&
  wanted.enabled === found.enabled &&
  wanted.comment === found.comment

/** Names the record of the domain in a refusal. */
const named = (refusal: Refusal, record: RecordState | undefined): Refusal =>
  record
    ? { ...refusal, params: recordParams(record), detail: `${describe(record)}: ${refusal.detail}`, record }
    : { ...refusal, record: null }

/** Types that are generated for signing; each provider has its own. */
const OF_SIGNING = /^(RRSIG|NSEC|NSEC3|NSEC3PARAM|DNSKEY|CDS|CDNSKEY|TYPE65534)$/

/** Refuses unmanaged records, which can't be copied, unless the provider already has records of that name and type. */
function unmanagedIn(
  { records, unmanaged }: Holdings,
  there: ProviderRecords,
  { provider }: CopyTarget,
): Refusal[] {
  const place = ({ name, type }: { name: string; type: string }) => `${type} ${name}`
  const managed = [...there.records.values()].map(({ content }) => content)
  const found = new Set([...there.unmanaged, ...managed].map(place))
  return unmanaged.flatMap((record, i) => {
    if (OF_SIGNING.test(record.type) || found.has(place(record))) return []
    const { name, type, value } = record
    const message = `is not managed here; add it at ${provider.name} manually`
    const errors: FieldError[] = [{ path: '/recordType', code: 'unmanaged', message }]
    const params = { recordType: type, name, value }
    const detail = `${name} ${type} ${value.slice(0, 60)} ${message}`
    return [
      { index: records.length + i, kind: 'invalid', code: 'invalid', params, detail, errors, record: null },
    ]
  })
}

/** Warns about records that only the other provider holds. */
function keptThere(surplus: RecordState[], { provider }: CopyTarget): PlanWarning[] {
  const shown = surplus.slice(0, SHOWN_KEPT).map((record): PlanWarning => ({
    index: null,
    code: 'kept_there',
    params: recordParams(record),
    message: `${describe(record)} exists only at ${provider.name} and stays there`,
  }))
  const count = surplus.length - shown.length
  if (count === 0) return shown
  const message = `${count} more records exist only at ${provider.name} and stay there`
  return [...shown, { index: null, code: 'more_kept_there', params: { count }, message }]
}
