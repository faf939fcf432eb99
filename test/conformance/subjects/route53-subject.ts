import { absoluteName, relativeName } from '../../../dns/names/names.ts'
import { readType } from '../../../dns/types/index.ts'
import type { Routing } from '../../../dns/names/rrset.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import {
  accessDenied,
  internalFailure,
  invalidBatch,
  invalidToken,
  throttled,
} from '../simulators/route53-answers.ts'
import { meaningOf, rdataOf, valuesOf, type Route53Set } from '../simulators/route53-sets.ts'
import type { Route53Simulator } from '../simulators/route53.ts'
import { isWrite } from '../simulators/server.ts'
import { textOf, type XmlElements } from '../simulators/xml.ts'
import { httpFaults } from './http-faults.ts'

let zones = 0

/** A hosted zone of its own in the simulator, as a subject of the conformance suite. The key of a set is its identifier. */
export async function route53Subject(provider: Provider, sim: Route53Simulator): Promise<Subject> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = sim.createZone(zoneName)
  const credentials = { apiUrl: sim.apiUrl, ...sim.key, region: 'us-east-1' }
  const seen = () => zone.sets.filter(({ name, type }) => name !== zone.name || !['NS', 'SOA'].includes(type))
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, secretAccessKey: 'a-wrong-secret-7f3a'.padEnd(40, 'w') },
    zoneName,
    missingZone: { id: 'Z00000000000000000000', name: 'missing.test' },
    seed: async (rrsets) => zone.upsert(...rrsets.map((rrset) => elementsOf(rrset, zoneName))),
    dump: async () => sorted(seen().flatMap((set) => toRRset(set, zoneName))),
    foreign: async () => {
      const alias = {
        HostedZoneId: 'Z2FDTNDATAQYW2',
        DNSName: 'd111111abcdef8.cloudfront.net.',
        EvaluateTargetHealth: 'false',
      }
      const name = `foreign.${zoneName}.`
      const records = (value: string) => ({
        TTL: '3600',
        ResourceRecords: { ResourceRecord: { Value: value } },
      })
      zone.upsert({ Name: name, Type: 'A', ...records('192.0.2.1') })
      zone.upsert({ Name: name, Type: 'AAAA', AliasTarget: alias })
      zone.upsert({ Name: name, Type: 'SPF', ...records('"v=spf1 -all"') })
      // Neither a weight nor a region, and only served while its health check says so.
      zone.upsert({
        Name: `placed.${zoneName}.`,
        Type: 'A',
        SetIdentifier: 'europe',
        GeoLocation: { ContinentCode: 'EU' },
        ...records('192.0.2.3'),
        HealthCheckId: 'abcdef11-2222-3333-4444-555555fedcba',
      })
      return async () => seen().map(lasting).sort()
    },
    routings: [
      { key: 'blue', setIdentifier: 'blue', weight: 10 },
      { key: 'green', setIdentifier: 'green', weight: 90 },
    ],
    writes: () => sim.requests.filter(isWrite).length,
    faults: await httpFaults(sim, credentials, sim.key.secretAccessKey, {
      unauthorized: invalidToken().answer,
      forbidden: accessDenied('ListResourceRecordSets').answer,
      rateLimited: throttled().answer,
      failure: internalFailure().answer,
      refused: (reason) => invalidBatch([reason]).answer,
    }),
    delay: { set: sim.setPending, left: sim.pending },
    close: async () => sim.deleteZone(zone.id),
  }
}

function elementsOf({ name, type, routing, ttl, members }: RRset, zone: string): XmlElements {
  const known = readType(type)
  if (known === null) throw new Error(`${type} is no type of ours`)
  const { setIdentifier, weight, region } = routing ?? {}
  return {
    Name: `${absoluteName(name, zone)}.`,
    Type: type,
    ...(setIdentifier !== undefined && { SetIdentifier: setIdentifier }),
    ...(weight !== undefined && { Weight: String(weight) }),
    ...(region !== undefined && { Region: region }),
    TTL: String(ttl),
    ResourceRecords: { ResourceRecord: members.map(({ value }) => ({ Value: rdataOf(known, value) })) },
  }
}

/** Aliases, and types that we don't manage, are none. */
function toRRset(set: Route53Set, zone: string): RRset[] {
  const type = readType(set.type)
  const ttl = textOf(set.elements['TTL'])
  if (type === null || ttl === undefined) return []
  const members = valuesOf(set).flatMap((text) => {
    const value = meaningOf(type, text)
    return value === null ? [] : [{ value }]
  })
  const name = relativeName(set.name.slice(0, -1), zone) ?? set.name
  const routing = routingOf(set)
  return [{ name, type, ttl: Number(ttl), ...(routing !== null && { routing }), members }]
}

function routingOf({ identifier, elements }: Route53Set): Routing | null {
  const [weight, region] = [textOf(elements['Weight']), textOf(elements['Region'])]
  if (identifier === undefined) return null
  return {
    key: identifier,
    setIdentifier: identifier,
    ...(weight !== undefined && { weight: Number(weight) }),
    ...(region !== undefined && { region }),
  }
}

/** The order of values means nothing. */
const lasting = (set: Route53Set): string =>
  JSON.stringify({ ...set.elements, ResourceRecords: valuesOf(set).sort() })
