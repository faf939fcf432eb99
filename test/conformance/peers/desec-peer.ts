import { typeOf } from '../../../dns/types/index.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import type { DesecRRset } from '../simulators/desec-domain.ts'
import { detail, throttled, type FakeDesec } from '../simulators/desec.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'
import { rrsetsOf } from './peer-records.ts'

let domains = 0

/** A domain of its own at the fake, as a peer of the conformance suite. */
export async function desecPeer(provider: Provider, fake: FakeDesec): Promise<Peer> {
  const zoneName = `z${++domains}.conformance.test`
  // As support sets it for who asks.
  const domain = fake.createDomain(zoneName, 60)
  const credentials = { apiUrl: fake.apiUrl, apiToken: fake.token }
  const seen = () => domain.rrsets.filter(({ subname, type }) => subname !== '' || type !== 'NS')
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiToken: 'a-wrong-token-7f3a' },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      domain.write(
        'PUT',
        rrsets.map(({ name, type, ttl, members }) => ({
          subname: name === '@' ? '' : name,
          type,
          ttl,
          records: members.map(({ value }) => typeOf(type).write(value)),
        })),
      )
    },
    dump: async () => sorted(toRRsets(seen())),
    foreign: async () => {
      domain.write('POST', [
        { subname: 'foreign', type: 'A', ttl: 3600, records: ['192.0.2.1'] },
        { subname: 'foreign', type: 'KX', ttl: 7200, records: ['10 kx.example.net.'] },
        { subname: 'cell', type: 'AFSDB', ttl: 3600, records: ['1 afs.example.net.'] },
      ])
      return async () => seen().map(lasting).sort()
    },
    writes: () => fake.requests.filter(isWrite).length,
    faults: await httpFaults(fake, credentials, fake.token, {
      unauthorized: detail(401, 'Invalid token.', { 'www-authenticate': 'Token' }).answer,
      forbidden: detail(403, 'You do not have permission to perform this action.').answer,
      rateLimited: throttled(1).answer,
      failure: { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Server Error (500)</h1>' },
      refused: (reason) => ({
        ...detail(400, '').answer,
        body: JSON.stringify([{ non_field_errors: [reason] }]),
      }),
    }),
    close: async () => fake.deleteDomain(zoneName),
  }
}

const toRRsets = (held: DesecRRset[]): RRset[] =>
  rrsetsOf(
    held.flatMap(({ subname, type, ttl, records }) =>
      records.map((rdata) => ({ name: subname === '' ? '@' : subname, type, ttl, rdata })),
    ),
  )

const lasting = ({ subname, type, ttl, records }: DesecRRset): string =>
  JSON.stringify({ subname, type, ttl, records: [...records].sort() })
