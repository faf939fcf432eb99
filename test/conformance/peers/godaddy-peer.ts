import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import type { RecordType } from '../../../schemas/record-type.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { failure, invalid, ownerOf, type GoDaddyDomain } from '../simulators/godaddy-domain.ts'
import { denied, unauthorized, type FakeGoDaddy } from '../simulators/godaddy.ts'
import { joinData, splitData } from '../simulators/rdata.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite. */
export async function goDaddyPeer(provider: Provider, fake: FakeGoDaddy): Promise<Peer> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = fake.createDomain(zoneName)
  const credentials = { apiUrl: fake.apiUrl, apiKey: fake.key, apiSecret: fake.secret }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiSecret: 'a-wrong-secret-7f3a' },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      const bodies = newMembers(heldIn(domain), rrsets).map(({ name, type, ttl, member }) => ({
        ...placeOf(name, type),
        ...splitData(type, member.value),
        ttl: member.ttl ?? ttl,
      }))
      if (bodies.length > 0) domain.patch(bodies)
    },
    dump: async () => sorted(heldIn(domain)),
    foreign: async () => {
      domain.patch([{ type: 'A', name: 'foreign', data: '192.0.2.1', ttl: 3600 }])
      // Made at GoDaddy's own pages.
      domain.plant({ type: 'CAA', name: '@', data: '0 issue "ca.example.net"', ttl: 3600 })
      return async () => domain.records.map((record) => JSON.stringify(record)).sort()
    },
    writes: () => fake.requests.filter(fake.changes).length,
    faults: await httpFaults(fake, credentials, fake.secret, {
      unauthorized: unauthorized().answer,
      forbidden: denied().answer,
      // Without the time in its body, which counts where the header is missing.
      rateLimited: failure(429, 'TOO_MANY_REQUESTS', 'Too many requests received within interval').answer,
      failure: failure(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error').answer,
      refused: (reason) => invalid('records[0].data', reason).answer,
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

/** What stands before the name of an SRV has fields of its own. */
function placeOf(name: string, type: RecordType) {
  if (type !== 'SRV') return { type, name }
  const [service, protocol, ...rest] = name.split('.')
  return { type, service, protocol, name: rest.join('.') || '@' }
}

const heldIn = ({ records, name: zone }: GoDaddyDomain): RRset[] =>
  rrsetsOf(
    records
      .filter(({ type, name }) => type !== 'CAA' && (type !== 'NS' || name !== '@'))
      .map((record) => ({ ...record, name: ownerOf(record), rdata: joinData(record.type, record, zone) })),
  )
