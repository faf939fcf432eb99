import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { typeOf } from '../../../dns/types/index.ts'
import type { RecordType } from '../../../schemas/record-type.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { failure, invalid, type LinodeRecord } from '../simulators/linode-domain.ts'
import { forbidden, tooMany, unauthorized, type FakeLinode } from '../simulators/linode.ts'
import { joinData, splitData } from '../simulators/rdata.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite. */
export async function linodePeer(provider: Provider, fake: FakeLinode): Promise<Peer> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = fake.createDomain(zoneName)
  const credentials = { apiUrl: fake.apiUrl, apiToken: fake.token }
  const held = () => toRRsets(domain.records, zoneName)
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiToken: '7f3a'.repeat(16) },
    zoneName,
    missingZone: { id: '999999999', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(held(), rrsets))
        domain.post({ type, ...bodyOf(name, type, member.value), ttl_sec: member.ttl ?? ttl ?? 0 })
    },
    dump: async () => sorted(held()),
    writes: () => fake.requests.filter(fake.changes).length,
    faults: await httpFaults(fake, credentials, fake.token, {
      unauthorized: unauthorized().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: failure(500, 'Internal Server Error').answer,
      refused: (reason) => invalid('target', reason).answer,
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

function bodyOf(name: string, type: RecordType, value: string): object {
  const { data, ...numbers } = splitData(type, value)
  const target = type === 'MX' && data === '.' ? '' : data
  if (type === 'SRV') {
    const [service, protocol] = name.split('.').map((label) => label.replace(/^_/, ''))
    return { ...numbers, target, service, protocol }
  }
  const place = { name: name === '@' ? '' : name }
  if (type !== 'CAA') return { ...place, ...numbers, target }
  const { tag, value: text } = typeOf(type).toData(value)
  return { ...place, tag, target: text }
}

function rdataOf({ type, target, tag, ...numbers }: LinodeRecord, zone: string): string {
  if (type === 'CAA') return `0 ${tag} "${target}"`
  return joinData(type, { ...numbers, data: type === 'MX' && target === '' ? '.' : target }, zone)
}

/** A TTL of 0 is Linode's own. */
const toRRsets = (records: LinodeRecord[], zone: string): RRset[] =>
  rrsetsOf(
    records.map((record) => ({
      type: record.type,
      name: record.name === '' ? '@' : record.name,
      rdata: rdataOf(record, zone),
      ttl: record.ttl_sec === 0 ? null : record.ttl_sec,
    })),
  )
