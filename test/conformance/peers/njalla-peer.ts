import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import type { Body } from '../simulators/answers.ts'
import { invalid, presentationOf, type NjallaDomain, type NjallaRecord } from '../simulators/njalla-domain.ts'
import { forbidden, invalidToken, type FakeNjalla } from '../simulators/njalla.ts'
import { splitData } from '../simulators/rdata.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite. */
export async function njallaPeer(provider: Provider, fake: FakeNjalla): Promise<Peer> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = fake.createDomain(zoneName)
  const { apiUrl, apiToken } = fake
  const credentials = { apiUrl, apiToken }
  const asText = { 'content-type': 'text/html' }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiToken: '7f3a'.repeat(10) },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(heldIn(domain), rrsets))
        domain.add({ ...paramsOf(type, member.value), name, type, ttl: member.ttl ?? ttl })
    },
    dump: async () => sorted(heldIn(domain)),
    foreign: async () => {
      domain.add({ name: 'foreign', type: 'A', content: '192.0.2.1', ttl: 3600 })
      domain.hold({ name: 'foreign', type: 'Dynamic', content: '', ttl: 60 })
      domain.hold({ name: 'jump', type: 'Redirect', content: 'https://www.example.net/', ttl: 3600 })
      return async () => domain.records.map(lasting).sort()
    },
    writes: () => fake.requests.filter(fake.changes).length,
    faults: await httpFaults(fake, credentials, fake.apiToken, {
      unauthorized: invalidToken().answer,
      forbidden: forbidden().answer,
      rateLimited: { status: 429, headers: asText, body: 'Too Many Requests' },
      failure: { status: 503, headers: asText, body: 'Service Unavailable' },
      refused: (reason) => invalid(reason).answer,
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

function paramsOf(type: RecordType, value: string): Body {
  const { data, priority, weight, port } = splitData(type, value)
  if (type === 'SRV') return { content: `${weight} ${port} ${data}`, prio: priority }
  if (type === 'CAA') return { content: typeOf(type).write(value) }
  return { content: data, ...(priority !== undefined && { prio: priority }) }
}

const heldIn = ({ records }: NjallaDomain) =>
  rrsetsOf(records.map((record) => ({ ...record, rdata: presentationOf(record) })))

/** What of a record is the same when it was made anew. */
const lasting = (record: NjallaRecord): string => JSON.stringify({ ...record, id: '' })
