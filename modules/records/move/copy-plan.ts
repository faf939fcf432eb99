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
import { adapt, isAlike, isOfHost, type Host, type Wanted } from './adapted.ts'

/** What a domain has here. */
export interface Holdings {
  name: string
  /** All of it, of the caller. */
  scope: RecordScope
  /** In an order that stays. */
  records: RecordState[]
  /** As its provider was last seen. */
  unmanaged: UnmanagedRecord[]
  /** Its provider may have more of which nothing is known here, where this is false. */
  isRead: boolean
}

/** `merge` adds and updates; `replace` also deletes what the domain does not have. */
export type CopyMode = 'merge' | 'replace'

/** Of what stays at the other provider so many are named. */
const SHOWN_KEPT = 100

/**
 * What makes that provider hold what the domain has, as far as it can: without any I/O. Of steps and refusals the index
 * is the place among the domain's records (unmanaged ones after all others), and the id is that of the record here;
 * what is there alone has one that means nothing.
 */
export async function planCopy(
  here: Holdings,
  host: Host,
  there: ProviderRecords,
  mode: CopyMode,
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
  const surplus = [...held.values()].filter((content) => !isOfHost(content))
  const gone = mode === 'replace' ? surplus : []
  const requests = [
    ...asked.map(({ request }) => request),
    ...gone.map(({ id }): RequestedChange => ({ action: 'delete', recordId: id })),
  ]
  const zone = zoneFacts({ name: here.name, default_ttl: defaultTtl }, provider, here.scope)
  const plan = await planChanges(zone, current, requests, { verbatim: true })
  const indexOf = (request: number | null) => (request === null ? null : (asked[request]?.index ?? null))
  // What goes there is none of the domain's.
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
  message: 'The zone of the domain was never read: a sync says what it has beside these records',
}

/** What makes the record there what it is to be; nothing when it is that. */
function toRequest({ content, record }: Wanted, found: RecordState | null, host: Host): RequestedChange[] {
  const { type: recordType, routing, extra, ...fields } = content
  // What its RRset has beside it there stays, where this record says nothing of it.
  const besides = isAlike(host) && record.extra !== null ? { routing, extra } : { routing }
  if (!found) return [{ action: 'create', recordType, ...fields, ...besides }]
  const wanted = { ...content, ...unsaid(content, found, host) }
  if (isHeld(wanted, found)) return []
  const { ttl, proxied, enabled, comment } = wanted
  return [{ action: 'update', recordId: found.id, ttl, proxied, enabled, comment }]
}

/** What stays there as it is, for the record here says nothing of it; a proxy comes with a TTL of its own. */
function unsaid(
  content: RecordContent,
  found: RecordContent,
  { provider, from }: Host,
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

/** A refusal that says of which record of the domain it is. */
const named = (refusal: Refusal, record: RecordState | undefined): Refusal =>
  record
    ? { ...refusal, params: recordParams(record), detail: `${describe(record)}: ${refusal.detail}`, record }
    : { ...refusal, record: null }

/** Of who signs a zone: every provider makes them anew. */
const OF_SIGNING = /^(RRSIG|NSEC|NSEC3|NSEC3PARAM|DNSKEY|CDS|CDNSKEY|TYPE65534)$/

/** What is not managed here can't be brought anywhere; where there is something of its type by now, somebody has done it. */
function unmanagedIn(
  { records, unmanaged }: Holdings,
  there: ProviderRecords,
  { provider }: Host,
): Refusal[] {
  const place = ({ name, type }: { name: string; type: string }) => `${type} ${name}`
  const managed = [...there.records.values()].map(({ content }) => content)
  const found = new Set([...there.unmanaged, ...managed].map(place))
  return unmanaged.flatMap((record, i) => {
    if (OF_SIGNING.test(record.type) || found.has(place(record))) return []
    const { name, type, value } = record
    const message = `is not managed here: bring it to ${provider.name} by hand`
    const errors: FieldError[] = [{ path: '/recordType', code: 'unmanaged', message }]
    const params = { recordType: type, name, value }
    const detail = `${name} ${type} ${value.slice(0, 60)} ${message}`
    return [
      { index: records.length + i, kind: 'invalid', code: 'invalid', params, detail, errors, record: null },
    ]
  })
}

/** What the other provider has and the domain has not. */
function keptThere(surplus: RecordState[], { provider }: Host): PlanWarning[] {
  const shown = surplus.slice(0, SHOWN_KEPT).map((record): PlanWarning => ({
    index: null,
    code: 'kept_there',
    params: recordParams(record),
    message: `${describe(record)} is at ${provider.name} alone, and stays there`,
  }))
  const count = surplus.length - shown.length
  if (count === 0) return shown
  const message = `${count} more records are at ${provider.name} alone, and stay there`
  return [...shown, { index: null, code: 'more_kept_there', params: { count }, message }]
}
