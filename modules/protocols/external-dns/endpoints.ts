import { readName } from '../../../dns/wire/wire-name.ts'
import { checkValue, readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { holderOf, ranked, type HoldersByName } from '../../domains/access/holder.ts'
import { nearestTtl } from '../../domains/service.ts'
import type { Capabilities } from '../../providers/contract.ts'
import type { ServedRecord, VisibleDomain } from './queries.ts'
import type { Endpoint } from './schemas.ts'

/** The annotation by which users of external-dns have a name proxied. */
const PROXIED = 'external-dns.alpha.kubernetes.io/cloudflare-proxied'
const PROXIED_NAMES = new Set([PROXIED, 'webhook/proxied'])
const PROXIED_TYPES = new Set<string>(['A', 'AAAA', 'CNAME'])

/** A domain with the capabilities of its DNS provider. */
export interface Host extends VisibleDomain {
  capabilities: Capabilities
}

/** The domain and relative name of an endpoint. */
export interface EndpointPlace {
  domain: Host
  name: string
}

/** Returns the domain of an endpoint; null if the caller sees none. Throws a 409 if two domains match. */
export function placeOf(
  { dnsName }: Endpoint,
  hosts: HoldersByName<Host>,
  caller: Principal,
): EndpointPlace | null {
  const full = readName(dnsName)
  if (full === null) return null
  // If the caller may write in none, the domain that holds the name refuses.
  const held = holderOf(hosts, caller, full) ?? ranked(hosts, caller, full)[0]
  return held ? { domain: held.domain, name: held.host } : null
}

/** Returns a canonical value as a target. TXT is in quotes, like the TXT records in which external-dns stores ownership. */
const targetOf = (type: RecordType, value: string): string =>
  type === 'TXT' || type === 'NAPTR' ? typeOf(type).write(value) : value

/** Returns the canonical value of a target; null if it is not valid for the type. */
export function valueOf(type: RecordType, target: string): string | null {
  const checked = checkValue(type, target)
  return checked.ok ? checked.value : typeOf(type).read(target)
}

const proxiedProperty = [{ name: PROXIED, value: 'true' }]

/** Whether the endpoint should be proxied; undefined if its type or provider has no proxying. */
export const proxiedOf = (
  { recordType, providerSpecific }: Endpoint,
  { domain: { capabilities } }: EndpointPlace,
) =>
  capabilities.proxied && PROXIED_TYPES.has(recordType)
    ? (providerSpecific ?? []).some(({ name = '', value }) => PROXIED_NAMES.has(name) && value === 'true')
    : undefined

/** Converts records to endpoints; consecutive records of one RRset become one endpoint. */
export function toEndpoints(
  records: ServedRecord[],
  domains: ReadonlyMap<string, VisibleDomain>,
): Endpoint[] {
  const endpoints: Endpoint[] = []
  let last = { key: '', targets: [] as string[] }
  for (const { domain_id: domainId, name, type, value, ttl, proxied } of records) {
    const key = `${domainId} ${type} ${name}`
    if (last.key !== key) {
      const zone = domains.get(domainId)?.name ?? ''
      last = { key, targets: [] }
      endpoints.push({
        dnsName: name === '@' ? zone : `${name}.${zone}`,
        targets: last.targets,
        recordType: type,
        ...(ttl !== null && !proxied && { recordTTL: ttl }),
        ...(proxied && { providerSpecific: proxiedProperty }),
      })
    }
    last.targets.push(targetOf(type, value))
  }
  return endpoints
}

/**
 * Returns an endpoint as it will be read once it is stored; otherwise external-dns would see a difference in every round.
 * Invalid endpoints, and those outside our domains, are returned unchanged.
 */
export function adjusted(endpoint: Endpoint, place: EndpointPlace | null): Endpoint {
  const type = readType(endpoint.recordType)
  if (place === null || type === null) return endpoint
  const { setIdentifier: _set, providerSpecific: _specific, recordTTL = 0, targets, ...rest } = endpoint
  const isProxied = proxiedOf(endpoint, place) === true
  const ttl = ttlOf(recordTTL, place)
  return {
    ...rest,
    recordType: type,
    targets: [...new Set((targets ?? []).map((target) => adjustedTarget(type, target)))],
    ...(ttl !== undefined && !isProxied && { recordTTL: ttl }),
    ...(isProxied && { providerSpecific: proxiedProperty }),
  }
}

function adjustedTarget(type: RecordType, target: string): string {
  const value = valueOf(type, target)
  return value === null ? target : targetOf(type, value)
}

/** Clamps the TTL to the provider's limits; undefined if none is given, or the zone has one for all records. */
export function ttlOf(
  recordTTL: number | undefined,
  { domain: { capabilities } }: EndpointPlace,
): number | undefined {
  if (recordTTL === undefined || recordTTL === 0 || capabilities.ttlOf === 'zone') return undefined
  return nearestTtl(recordTTL, capabilities)
}
