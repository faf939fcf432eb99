import { relativeName } from '../../../dns/names/names.ts'
import type { RecordType } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import type { Body } from '../simulators/answers.ts'
import { failure, invalid, presentationOf, type InwxRecord, type InwxZone } from '../simulators/inwx-zone.ts'
import { forbidden, notLoggedIn, type FakeInwx } from '../simulators/inwx.ts'
import { splitData } from '../simulators/rdata.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let zones = 0

/** A zone of its own at the fake, as a peer of the conformance suite. */
export async function inwxPeer(provider: Provider, fake: FakeInwx): Promise<Peer> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = fake.createZone(zoneName)
  const own = new Set(zone.records.map(({ id }) => id))
  const { apiUrl, username, password, totpSecret } = fake
  const credentials = { apiUrl, username, password, totpSecret }
  const held = () => heldIn(zone, own)
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, password: '7f3a'.repeat(4) },
    zoneName,
    missingZone: { id: '999999999', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(held(), rrsets))
        zone.create({ ...paramsOf(type, member.value), name, type, ttl: member.ttl ?? ttl })
    },
    dump: async () => sorted(held()),
    foreign: async () => {
      zone.create({ name: 'foreign', type: 'A', content: '192.0.2.1', ttl: 3600 })
      const jump = { type: 'URL', content: 'https://www.example.net/', ttl: 3600, prio: 0 }
      for (const name of ['foreign', 'jump'])
        zone.hold({ ...jump, name: `${name}.${zoneName}`, urlRedirectType: 'HEADER301' })
      return async () =>
        zone.records
          .filter(({ id }) => !own.has(id))
          .map(lasting)
          .sort()
    },
    writes: () => fake.requests.filter(fake.changes).length,
    faults: await httpFaults(fake, credentials, fake.password, {
      unauthorized: notLoggedIn().answer,
      forbidden: forbidden().answer,
      // Not of its own: of who stands before it.
      rateLimited: { status: 429, headers: { 'content-type': 'text/html' }, body: 'Too Many Requests' },
      failure: failure(2400).answer,
      refused: (reason) => invalid(reason).answer,
    }),
    close: async () => fake.deleteZone(zoneName),
  }
}

function paramsOf(type: RecordType, value: string): Body {
  const { data, priority = 0, weight, port } = splitData(type, value)
  return { content: type === 'SRV' ? `${weight} ${port} ${data}` : data, prio: priority }
}

const heldIn = ({ records, name: zone }: InwxZone, own: Set<number>) =>
  rrsetsOf(
    records
      .filter(({ id }) => !own.has(id))
      .map((record) => ({
        ...record,
        name: relativeName(record.name, zone) ?? record.name,
        rdata: presentationOf(record),
      })),
  )

/** What of a record is the same when it was made anew. */
const lasting = (record: InwxRecord): string => JSON.stringify({ ...record, id: 0 })
