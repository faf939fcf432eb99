import type { FieldError } from '../../../plugins/http/errors.ts'
import type { ReasonCode } from '../../../schemas/codes/reason-codes.ts'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { nearestTtl } from '../../domains/service.ts'
import type { Provider } from '../../providers/contract.ts'
import {
  contentOf,
  describe,
  rrsetParams,
  recordParams,
  type RecordContent,
  type RecordState,
} from '../plan/change.ts'
import type { PlanWarning, Refusal } from '../plan/plan.ts'

/** The DNS provider that records are copied to. */
export interface CopyTarget {
  provider: Provider
  /** The current provider. */
  from: Provider
  /** Default TTL of the domain, in seconds. */
  defaultTtl: number
}

/** A record of the domain, and its content at the other provider. */
export interface Wanted {
  /** Position in the list of the domain's records. */
  index: number
  record: RecordState
  content: RecordContent
}

interface Adapted {
  wanted: Wanted[]
  refusals: Refusal[]
  warnings: PlanWarning[]
}

/** Whether both are the same kind of provider, so that extra data of records means the same. */
export const isAlike = ({ provider, from }: CopyTarget): boolean => provider.key === from.key

/** Whether each provider has such records of its own: NS at the apex, and records generated for signing or serving. */
export const isOfProvider = ({ name, type }: Pick<RecordContent, 'name' | 'type'>): boolean =>
  (name === '@' && type === 'NS') || typeOf(type).readOnly === true

/**
 * Adapts records to what the provider supports, with warnings: the nearest TTL, one TTL for each RRset, no proxy. Refuses
 * records with routing.
 */
export function adapt(records: RecordState[], host: CopyTarget): Adapted {
  const adapted: Adapted = { wanted: [], refusals: [], warnings: [] }
  for (const [index, record] of records.entries()) {
    if (isOfProvider(record)) adapted.warnings.push(leftToHost(record, index, host))
    else if (record.routing && !(isAlike(host) && host.provider.capabilities.routing))
      adapted.refusals.push(routed(record, index, host))
    else adapted.wanted.push({ index, record, content: contentOf(record) })
  }
  adapted.warnings.push(...takeTtls(adapted.wanted, host), ...takeSettings(adapted.wanted, host))
  return adapted
}

const leftToHost = (record: RecordState, index: number, { provider }: CopyTarget): PlanWarning => ({
  index,
  code: record.type === 'NS' ? 'apex_ns_left_out' : 'made_there_left_out',
  params: recordParams(record),
  message: `${describe(record)} is left out because ${provider.name} has its own`,
})

function routed(record: RecordState, index: number, { provider }: CopyTarget): Refusal {
  const message = `${provider.name} does not support the routing set "${record.routing?.key}" of ${record.type} records`
  const errors: FieldError[] = [{ path: '/routing', code: 'routing_unsupported', message }]
  return { index, kind: 'invalid', code: 'invalid', params: {}, detail: message, errors, record: null }
}

/** Adapts the TTLs, and warns how many records change theirs and which RRsets had several. */
function takeTtls(
  wanted: Wanted[],
  { provider: { name, capabilities }, defaultTtl }: CopyTarget,
): PlanWarning[] {
  const usual = nearestTtl(defaultTtl, capabilities)
  const heldAs = (ttl: number | null) => {
    if (capabilities.ttlOf === 'zone') return usual
    if (ttl === null) return capabilities.automaticTtl ? null : usual
    return nearestTtl(ttl, capabilities)
  }
  const moved = new Map<string, { ttl: number | null; to: number | null; count: number }>()
  for (const { content } of wanted) {
    const { ttl } = content
    content.ttl = heldAs(ttl)
    if (content.ttl === ttl) continue
    const key = `${ttl} ${content.ttl}`
    const known = moved.get(key) ?? { ttl, to: content.ttl, count: 0 }
    moved.set(key, { ...known, count: known.count + 1 })
  }
  const brought = [...moved.values()].map((params): PlanWarning => {
    const { ttl, to, count } = params
    const had = ttl === null ? 'chosen by the current provider' : ttl
    const message = `${name} does not support the TTL of ${count} records (${had}), which get ${to}`
    return { index: null, code: 'ttl_brought', params, message }
  })
  return [...brought, ...(capabilities.ttlOf !== 'record' ? takeOneTtl(wanted) : [])]
}

/** Takes the lowest of several TTLs in an RRset, which is safe (RFC 2181 section 5.2). */
function takeOneTtl(wanted: Wanted[]): PlanWarning[] {
  const rrsets = Map.groupBy(wanted, ({ content }) => rrsetKey(content))
  return [...rrsets.values()].flatMap((members) => {
    const ttls = new Set(members.map(({ content }) => content.ttl))
    const [first] = members
    if (ttls.size < 2 || !first) return []
    const ttl = Math.min(...[...ttls].filter((each) => each !== null))
    for (const { content } of members) content.ttl = ttl
    const { name, type } = first.content
    const message = `All ${type} records of ${name} share one TTL, which is now ${ttl}`
    return [
      { index: first.index, code: 'ttl_aligned', params: { ...rrsetParams(first.content), ttl }, message },
    ]
  })
}

/** Drops settings that the provider does not support, and warns about them. */
function takeSettings(wanted: Wanted[], host: CopyTarget): PlanWarning[] {
  const { name, capabilities } = host.provider
  return wanted.flatMap(({ index, record, content }) => {
    const said = (code: ReasonCode, message: string) => [
      { index, code, params: recordParams(record), message: `${describe(record)} ${message}` },
    ]
    const warnings: PlanWarning[] = []
    if (content.proxied && !capabilities.proxied) {
      content.proxied = false
      warnings.push(...said('proxy_left_off', `will be served without a proxy, which ${name} does not offer`))
    }
    if (content.extra !== null && !isAlike(host)) {
      content.extra = null
      warnings.push(
        ...said('settings_left_off', `has settings of its current provider, which ${name} does not support`),
      )
    }
    return warnings
  })
}
