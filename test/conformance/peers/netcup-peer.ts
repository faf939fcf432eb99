import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { TTL, sorted, type Peer } from '../suite/peer.ts'
import type { Body } from '../simulators/answers.ts'
import { invalid, presentationOf, type NetcupZone } from '../simulators/netcup-zone.ts'
import { noSession, tooMany, type FakeNetcup } from '../simulators/netcup.ts'
import { splitData } from '../simulators/rdata.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let zones = 0

/** A zone of its own at the fake, as a peer of the conformance suite. */
export async function netcupPeer(provider: Provider, fake: FakeNetcup): Promise<Peer> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = fake.createZone(zoneName, TTL)
  const { apiUrl, customerNumber, apiKey, apiPassword } = fake
  const credentials = { apiUrl, customerNumber, apiKey, apiPassword }
  const asText = { 'content-type': 'text/html' }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiPassword: '7f3a'.repeat(7) },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      const bodies = newMembers(heldIn(zone), rrsets).map(({ name, type, member }) => ({
        ...bodyOf(type, member.value),
        hostname: name,
        type,
      }))
      if (bodies.length > 0) zone.update(bodies)
    },
    dump: async () => sorted(heldIn(zone)),
    writes: () => fake.requests.filter(fake.changes).length,
    faults: await httpFaults(fake, credentials, fake.apiPassword, {
      unauthorized: noSession().answer,
      // What it says itself is not known: as a web server says it.
      forbidden: { status: 403, headers: asText, body: 'Forbidden' },
      rateLimited: tooMany().answer,
      failure: { status: 500, headers: asText, body: 'Internal Server Error' },
      refused: (reason) => invalid(reason).answer,
    }),
    close: async () => fake.deleteZone(zoneName),
  }
}

function bodyOf(type: RecordType, value: string): Body {
  const { data, priority, weight, port } = splitData(type, value)
  if (type === 'SRV') return { destination: `${priority} ${weight} ${port} ${data}` }
  if (type === 'CAA') return { destination: typeOf(type).write(value) }
  return { destination: data, priority: String(priority ?? 0) }
}

const heldIn = ({ records, ttl }: NetcupZone) =>
  rrsetsOf(
    records.map((record) => ({
      name: record.hostname,
      type: record.type,
      ttl,
      rdata: presentationOf(record),
    })),
  )
