import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import type { RecordType } from '../../../schemas/record-type.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { joinData, splitData } from '../simulators/rdata.ts'
import { failure, invalid, type VultrRecord } from '../simulators/vultr-domain.ts'
import { forbidden, tooMany, unauthorized, type FakeVultr } from '../simulators/vultr.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite. */
export async function vultrPeer(provider: Provider, fake: FakeVultr): Promise<Peer> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = fake.createDomain(zoneName)
  const own = new Set(domain.records.map(({ id }) => id))
  const credentials = { apiUrl: fake.apiUrl, apiKey: fake.key }
  const held = () =>
    toRRsets(
      domain.records.filter(({ id }) => !own.has(id)),
      zoneName,
    )
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiKey: '7F3A'.repeat(9) },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(held(), rrsets))
        domain.post({
          ...bodyOf(type, member.value),
          type,
          name: name === '@' ? '' : name,
          ttl: member.ttl ?? ttl,
        })
    },
    dump: async () => sorted(held()),
    writes: () => fake.requests.filter(fake.changes).length,
    faults: await httpFaults(fake, credentials, fake.key, {
      unauthorized: unauthorized().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: failure(500, 'Internal server error.').answer,
      refused: (reason) => invalid(reason).answer,
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

function bodyOf(type: RecordType, value: string) {
  const { data, priority = 0, weight, port } = splitData(type, value)
  if (type === 'TXT') return { data: `"${data}"`, priority }
  return { data: type === 'SRV' ? `${weight} ${port} ${data}` : data, priority }
}

function rdataOf({ type, data, priority }: VultrRecord, zone: string): string {
  if (type === 'TXT') return joinData(type, { data: data.slice(1, -1) }, zone)
  const [weight, port, target = ''] = data.split(' ')
  return type === 'SRV'
    ? joinData(type, { data: target, priority, weight: Number(weight), port: Number(port) }, zone)
    : joinData(type, { data, priority }, zone)
}

const toRRsets = (records: VultrRecord[], zone: string): RRset[] =>
  rrsetsOf(
    records.map((record) => ({
      ...record,
      name: record.name === '' ? '@' : record.name,
      rdata: rdataOf(record, zone),
    })),
  )
