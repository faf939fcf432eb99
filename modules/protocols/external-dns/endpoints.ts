import { readName } from '../../../dns/wire/wire-name.ts'
import { checkValue, readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { holderOf, ranked, type HoldersByName } from '../../domains/access/holder.ts'
import { nearestTtl } from '../../domains/service.ts'
import type { Capabilities } from '../../providers/contract.ts'
import type { ServedRecord, VisibleDomain } from './queries.ts'
import type { Endpoint } from './schemas.ts'

/** What external-dns' users write to have a name proxied, and as what it is answered. */
const PROXIED = 'external-dns.alpha.kubernetes.io/cloudflare-proxied'
const PROXIED_NAMES = new Set([PROXIED, 'webhook/proxied'])
const PROXIED_TYPES = new Set<string>(['A', 'AAAA', 'CNAME'])

/** A domain with what its DNS host can. */
export interface Host extends VisibleDomain {
  capabilities: Capabilities
}

/** Where an endpoint belongs; `name` relative to the domain. */
export interface Place {
  domain: Host
  name: string
}

/** The domain that the caller means; null where they see none. Throws a 409 where it could be two. */
export function placeOf({ dnsName }: Endpoint, hosts: HoldersByName<Host>, caller: Principal): Place | null {
  const full = readName(dnsName)
  if (full === null) return null
  // Where they may write nowhere, the refusal comes from the domain that holds the name.
  const held = holderOf(hosts, caller, full) ?? ranked(hosts, caller, full)[0]
  return held ? { domain: held.domain, name: held.host } : null
}

/** A canonical value as a target. Texts are in quotes, as external-dns writes those by which it knows what it owns. */
const targetOf = (type: RecordType, value: string): string =>
  type === 'TXT' || type === 'NAPTR' ? typeOf(type).write(value) : value

/** The canonical value of a target; null when it is none of the type. */
export function valueOf(type: RecordType, target: string): string | null {
  const checked = checkValue(type, target)
  return checked.ok ? checked.value : typeOf(type).read(target)
}

const proxiedProperty = [{ name: PROXIED, value: 'true' }]

/** Whether it is to be proxied; undefined where that can't be said. */
export const proxiedOf = ({ recordType, providerSpecific }: Endpoint, { domain: { capabilities } }: Place) =>
  capabilities.proxied && PROXIED_TYPES.has(recordType)
    ? (providerSpecific ?? []).some(({ name = '', value }) => PROXIED_NAMES.has(name) && value === 'true')
    : undefined

/** What is served, as endpoints: records that follow each other and are of one set are one. */
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
 * An endpoint as it will be answered once it is stored: else external-dns would find a difference in each round. What is
 * not of ours, or wrong, stays as it is.
 */
export function adjusted(endpoint: Endpoint, place: Place | null): Endpoint {
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

/** Within what the provider takes; undefined where none is said, or the zone has one for all. */
export function ttlOf(
  recordTTL: number | undefined,
  { domain: { capabilities } }: Place,
): number | undefined {
  if (recordTTL === undefined || recordTTL === 0 || capabilities.ttlOf === 'zone') return undefined
  return nearestTtl(recordTTL, capabilities)
}
