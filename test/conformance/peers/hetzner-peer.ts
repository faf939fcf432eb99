import { typeOf } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { failure } from '../simulators/hetzner-actions.ts'
import { invalid, type HetznerRRset, type HetznerZone } from '../simulators/hetzner-zone.ts'
import { readOnly, tooMany, unauthorized, type FakeHetzner } from '../simulators/hetzner.ts'
import { inZone } from '../simulators/rdata.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'
import { rrsetsOf } from './peer-records.ts'

let zones = 0

/** A zone of its own at the fake, as a peer of the conformance suite. */
export async function hetznerPeer(provider: Provider, fake: FakeHetzner): Promise<Peer> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = fake.createZone(zoneName)
  const credentials = { apiUrl: fake.apiUrl, apiToken: fake.token }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiToken: '7f3a'.repeat(16) },
    zoneName,
    missingZone: { id: '999999999', name: 'missing.test' },
    seed: async (rrsets) => {
      const before = new Set(zone.rrsets.map(({ id }) => id))
      for (const { name, type, ttl, members } of rrsets) {
        if (before.has(`${name}/${type}`)) zone.delete(name, type)()
        const records = members.map(({ value, comment = '' }) => ({
          value: typeOf(type).write(value),
          comment,
        }))
        zone.create({ name, type, ttl, records }).effect()
      }
    },
    dump: async () => sorted(heldIn(zone)),
    extra: async () => {
      const records = ['192.0.2.1', '192.0.2.2'].map((value) => ({ value }))
      zone.create({ name: 'extra', type: 'A', ttl: 3600, labels: { owner: 'somebody' }, records }).effect()
      return async () => zone.rrsets.map(lasting).sort()
    },
    writes: () => fake.requests.filter(isWrite).length,
    faults: await httpFaults(fake, credentials, fake.token, {
      unauthorized: unauthorized().answer,
      forbidden: readOnly().answer,
      rateLimited: tooMany().answer,
      failure: failure(500, 'server_error', 'error within the API backend').answer,
      refused: (reason) => invalid('records', reason).answer,
    }),
    delay: { set: (times) => fake.actions.delayNext(times), left: () => fake.actions.left() },
    close: async () => fake.deleteZone(zoneName),
  }
}

const heldIn = ({ rrsets, name: zoneName }: HetznerZone) =>
  rrsetsOf(
    rrsets
      .filter(({ id }) => id !== '@/SOA' && id !== '@/NS')
      .flatMap(({ name, type, ttl, records }) =>
        records.map(({ value, comment }) => ({
          name,
          type,
          ttl,
          comment,
          rdata: inZone(type, value, zoneName),
        })),
      ),
  )

/** The order of a set's records means nothing. */
const lasting = ({ records, ...rest }: HetznerRRset): string =>
  JSON.stringify({ ...rest, records: records.map((record) => JSON.stringify(record)).sort() })
