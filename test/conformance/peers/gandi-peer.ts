import { typeOf } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { failure, invalid, type GandiDomain, type GandiRRset } from '../simulators/gandi-domain.ts'
import { forbidden, tooMany, unauthorized, type FakeGandi } from '../simulators/gandi.ts'
import { inZone } from '../simulators/rdata.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'
import { rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite. */
export async function gandiPeer(provider: Provider, fake: FakeGandi): Promise<Peer> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = fake.createDomain(zoneName)
  const credentials = { apiUrl: fake.apiUrl, apiToken: fake.token }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiToken: '7f3a'.repeat(10) },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, members } of rrsets)
        domain.put(name, type, {
          rrset_ttl: ttl,
          rrset_values: members.map(({ value }) => typeOf(type).write(value)),
        })
    },
    dump: async () => sorted(heldIn(domain)),
    foreign: async () => {
      domain.put('foreign', 'A', { rrset_ttl: 3600, rrset_values: ['192.0.2.1'] })
      domain.put('foreign', 'SPF', { rrset_ttl: 3600, rrset_values: ['"v=spf1 -all"'] })
      domain.put('cell', 'WKS', { rrset_ttl: 3600, rrset_values: ['192.0.2.1 TCP smtp'] })
      return async () => domain.rrsets.map(lasting).sort()
    },
    writes: () => fake.requests.filter(isWrite).length,
    faults: await httpFaults(fake, credentials, fake.token, {
      unauthorized: unauthorized().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: failure(500, 'Internal Server Error', 'HTTPInternalServerError', 'Internal Server Error')
        .answer,
      refused: (reason) => invalid('rrset_values', reason).answer,
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

const heldIn = ({ rrsets, name: zone }: GandiDomain) =>
  rrsetsOf(
    rrsets.flatMap(({ rrset_name: name, rrset_type: type, rrset_ttl: ttl, rrset_values }) =>
      rrset_values.map((value) => ({ name, type, ttl, rdata: inZone(type, value, zone) })),
    ),
  )

/** The order of a set's values means nothing. */
const lasting = ({ rrset_values, ...rest }: GandiRRset): string =>
  JSON.stringify({ ...rest, rrset_values: rrset_values.toSorted() })
