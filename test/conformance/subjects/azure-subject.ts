import { readType } from '../../../dns/types/index.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import {
  badRequest,
  internalError,
  throttled,
  unauthenticated,
  unauthorized,
} from '../simulators/azure-answers.ts'
import { meaningOf, propertiesOf, recordsOf } from '../simulators/azure-records.ts'
import type { AzureSet } from '../simulators/azure-zone.ts'
import type { AzureSimulator } from '../simulators/azure.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'

let zones = 0

/** A zone of its own in the simulator, as a subject of the conformance suite. */
export async function azureSubject(provider: Provider, sim: AzureSimulator): Promise<Subject> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = sim.createZone(zoneName)
  const { apiUrl, subscriptionId, resourceGroup, client, login } = sim
  const credentials = {
    apiUrl,
    loginUrl: login.server.url,
    tenantId: login.tenantId,
    ...client,
    subscriptionId,
    resourceGroup,
  }
  const seen = () => zone.sets.filter(({ name, type }) => name !== '@' || !['NS', 'SOA'].includes(type))
  const look = async () => seen().map(lasting).sort()
  const put = (type: string, name: string, properties: object) =>
    zone.put(type, name, { properties: { TTL: 3600, ...properties } })
  const addresses = (...all: string[]) => ({ ARecords: all.map((ipv4Address) => ({ ipv4Address })) })
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, clientSecret: 'a-wrong-secret-7f3a' },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, members } of rrsets) {
        const known = readType(type)
        if (known === null) throw new Error(`${type} is no type of ours`)
        const values = members.map(({ value }) => value)
        zone.put(type, name, { properties: { TTL: ttl, ...propertiesOf(known, values) } })
      }
    },
    dump: async () => sorted(seen().flatMap(toRRset)),
    foreign: async () => {
      const id = `/subscriptions/${subscriptionId}/resourceGroups/web/providers/Microsoft.Network/publicIPAddresses/ip`
      put('A', 'foreign', addresses('192.0.2.1'))
      put('AAAA', 'foreign', { targetResource: { id } })
      put('CNAME', 'alias', { targetResource: { id } })
      // Made in advance, and served by nothing.
      put('TXT', 'empty', { TXTRecords: [], metadata: { owner: 'somebody' } })
      return look
    },
    extra: async () => {
      put('A', 'extra', { ...addresses('192.0.2.1', '192.0.2.2'), metadata: { owner: 'somebody', nr: '7' } })
      return look
    },
    writes: () => sim.requests.filter(isWrite).length,
    faults: await httpFaults(sim, credentials, client.clientSecret, {
      unauthorized: unauthenticated().answer,
      forbidden: unauthorized(client.clientId, 'Microsoft.Network/dnsZones/read', '/').answer,
      rateLimited: throttled(1).answer,
      failure: internalError().answer,
      refused: (reason) => badRequest(reason).answer,
    }),
    close: async () => sim.deleteZone(zoneName),
  }
}

/** Aliases, and sets without records, are none. */
function toRRset({ name, type, properties }: AzureSet): RRset[] {
  const known = readType(type)
  const members = recordsOf(type, properties).flatMap((record) => {
    const value = meaningOf(type, record)
    return value === null ? [] : [{ value }]
  })
  if (known === null || members.length === 0) return []
  return [{ name, type: known, ttl: Number(properties['TTL']), members }]
}

/** What is the same when it was written anew; the order of records means nothing. */
const lasting = ({ name, type, properties }: AzureSet): string =>
  JSON.stringify({
    name,
    type,
    ttl: properties['TTL'],
    metadata: properties['metadata'],
    targetResource: properties['targetResource'],
    values: recordsOf(type, properties)
      .map((record) => String(meaningOf(type, record)))
      .sort(),
  })
