import type { FieldError } from '../../../plugins/http/errors.ts'
import type { ReasonCode } from '../../../schemas/reason-codes.ts'
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

/** Who is to hold the records of a domain. */
export interface Host {
  provider: Provider
  /** Who holds them now. */
  from: Provider
  /** Of the domain, seconds. */
  defaultTtl: number
}

/** A record of the domain, and what it is to be at the other provider. */
export interface Wanted {
  /** Its place in the list of the domain's records. */
  index: number
  record: RecordState
  content: RecordContent
}

interface Adapted {
  wanted: Wanted[]
  refusals: Refusal[]
  warnings: PlanWarning[]
}

/** Whether what the one has beside records means the same to the other. */
export const isAlike = ({ provider, from }: Host): boolean => provider.key === from.key

/** What each provider has of its own: NS at the apex, and what is made by who signs or serves the zone. */
export const isOfHost = ({ name, type }: Pick<RecordContent, 'name' | 'type'>): boolean =>
  (name === '@' && type === 'NS') || typeOf(type).readOnly === true

/**
 * The records as that provider can have them. What nobody would do without for that is brought to what it takes, and
 * told: TTLs to the nearest, one for each RRset; no proxy. Records that are told apart by line or weight can't be.
 */
export function adapt(records: RecordState[], host: Host): Adapted {
  const adapted: Adapted = { wanted: [], refusals: [], warnings: [] }
  for (const [index, record] of records.entries()) {
    if (isOfHost(record)) adapted.warnings.push(leftToHost(record, index, host))
    else if (record.routing && !(isAlike(host) && host.provider.capabilities.routing))
      adapted.refusals.push(routed(record, index, host))
    else adapted.wanted.push({ index, record, content: contentOf(record) })
  }
  adapted.warnings.push(...takeTtls(adapted.wanted, host), ...takeSettings(adapted.wanted, host))
  return adapted
}

const leftToHost = (record: RecordState, index: number, { provider }: Host): PlanWarning => ({
  index,
  code: record.type === 'NS' ? 'apex_ns_left_out' : 'made_there_left_out',
  params: recordParams(record),
  message: `${describe(record)} is left out: ${provider.name} has its own`,
})

function routed(record: RecordState, index: number, { provider }: Host): Refusal {
  const message = `${provider.name} does not have the set "${record.routing?.key}" of ${record.type} records`
  const errors: FieldError[] = [{ path: '/routing', code: 'routing_unsupported', message }]
  return { index, kind: 'invalid', code: 'invalid', params: {}, detail: message, errors, record: null }
}

/** Gives each the TTL that it can have. Says how many of each TTL have another, and which RRsets had several. */
function takeTtls(wanted: Wanted[], { provider: { name, capabilities }, defaultTtl }: Host): PlanWarning[] {
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
    const had = ttl === null ? 'one that their provider chooses' : ttl
    const message = `${name} can't have the TTL of ${count} records, ${had}: they get ${to}`
    return { index: null, code: 'ttl_brought', params, message }
  })
  return [...brought, ...(capabilities.ttlOf !== 'record' ? takeOneTtl(wanted) : [])]
}

/** RFC 2181 section 5.2: of several TTLs in an RRset the lowest is the one that misleads nobody. */
function takeOneTtl(wanted: Wanted[]): PlanWarning[] {
  const rrsets = Map.groupBy(wanted, ({ content }) => rrsetKey(content))
  return [...rrsets.values()].flatMap((members) => {
    const ttls = new Set(members.map(({ content }) => content.ttl))
    const [first] = members
    if (ttls.size < 2 || !first) return []
    const ttl = Math.min(...[...ttls].filter((each) => each !== null))
    for (const { content } of members) content.ttl = ttl
    const { name, type } = first.content
    const message = `All ${type} records of ${name} have one TTL: it is now ${ttl}`
    return [
      { index: first.index, code: 'ttl_aligned', params: { ...rrsetParams(first.content), ttl }, message },
    ]
  })
}

/** Takes off what there is no place for, and says of which records. */
function takeSettings(wanted: Wanted[], host: Host): PlanWarning[] {
  const { name, capabilities } = host.provider
  return wanted.flatMap(({ index, record, content }) => {
    const said = (code: ReasonCode, message: string) => [
      { index, code, params: recordParams(record), message: `${describe(record)} ${message}` },
    ]
    const warnings: PlanWarning[] = []
    if (content.proxied && !capabilities.proxied) {
      content.proxied = false
      warnings.push(...said('proxy_left_off', `is served as it is: ${name} has no proxy before it`))
    }
    if (content.extra !== null && !isAlike(host)) {
      content.extra = null
      warnings.push(
        ...said('settings_left_off', `has settings of its provider for which ${name} has no place`),
      )
    }
    return warnings
  })
}
