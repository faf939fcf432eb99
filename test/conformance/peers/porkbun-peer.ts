import { relativeName } from '../../../dns/names/names.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import type { RecordType } from '../../../schemas/record-type.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { failure, type PorkbunDomain, type PorkbunRecord } from '../simulators/porkbun-domain.ts'
import { notOptedIn, wrongSecret, type FakePorkbun } from '../simulators/porkbun.ts'
import { joinData, splitData } from '../simulators/rdata.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite. */
export async function porkbunPeer(provider: Provider, fake: FakePorkbun): Promise<Peer> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = fake.createDomain(zoneName)
  const credentials = { apiUrl: fake.apiUrl, apiKey: fake.key, secretApiKey: fake.secret }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, secretApiKey: `sk1_${'7f3a'.repeat(16)}` },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(heldIn(domain), rrsets))
        domain.create({
          ...bodyOf(type, member.value),
          type,
          name: name === '@' ? '' : name,
          ttl: member.ttl ?? ttl,
          ...(member.comment !== undefined && { notes: member.comment }),
        })
    },
    dump: async () => sorted(heldIn(domain)),
    writes: () => fake.requests.filter(fake.changes).length,
    faults: await httpFaults(fake, credentials, fake.secret, {
      unauthorized: wrongSecret().answer,
      forbidden: notOptedIn().answer,
      rateLimited: failure('Too many requests.', 429).answer,
      failure: failure('Internal server error.', 500).answer,
      refused: (reason) => failure(reason).answer,
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

function bodyOf(type: RecordType, value: string) {
  const { data, priority = 0, weight, port } = splitData(type, value)
  return { content: type === 'SRV' ? `${weight} ${port} ${data}` : data, prio: priority }
}

function rdataOf({ type, content, prio }: PorkbunRecord, zone: string): string {
  const priority = Number(prio)
  const [weight, port, target = ''] = content.split(' ')
  return type === 'SRV'
    ? joinData(type, { data: target, priority, weight: Number(weight), port: Number(port) }, zone)
    : joinData(type, { data: content, priority }, zone)
}

const heldIn = ({ records, name: zone }: PorkbunDomain): RRset[] =>
  rrsetsOf(
    records
      .filter(({ type, name }) => type !== 'NS' || name !== zone)
      .map((record) => ({
        type: record.type,
        name: relativeName(record.name, zone) ?? record.name,
        rdata: rdataOf(record, zone),
        ttl: Number(record.ttl),
        comment: record.notes,
      })),
  )
