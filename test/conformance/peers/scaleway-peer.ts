import { typeOf } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import { NAME_SERVERS, invalid, type ScalewayRecord, type ScalewayZone } from '../simulators/scaleway-zone.ts'
import { forbidden, internal, tooMany, unauthorized, type FakeScaleway } from '../simulators/scaleway.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'
import { delayOf } from './peer-jobs.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

const DOMAIN = 'conformance.test'
let zones = 0

/** A zone of its own at the fake, as a peer of the conformance suite. */
export async function scalewayPeer(provider: Provider, fake: FakeScaleway): Promise<Peer> {
  fake.registered.add(DOMAIN)
  const zoneName = `z${++zones}.${DOMAIN}`
  const zone = fake.createZone(zoneName)
  zone.unfinished = 0
  const { projectId } = fake
  const credentials = { apiUrl: fake.apiUrl, secretKey: fake.secretKey, projectId }
  const add = (...records: object[]) => void zone.patch([{ add: { records } }])
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, secretKey: '7f3a7f3a-7f3a-4f3a-8f3a-7f3a7f3a7f3a' },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(heldIn(zone), rrsets)) {
        const data = typeOf(type).write(member.value)
        add({ name, type, data, ttl: member.ttl ?? ttl, comment: member.comment })
      }
    },
    dump: async () => sorted(heldIn(zone)),
    foreign: async () => {
      add({ name: 'foreign', type: 'A', data: '192.0.2.1', comment: 'do not touch' })
      // Such things are there from before they were checked.
      zone.hold({ name: 'foreign', type: 'SSHFP', data: '1 1', ttl: 600 })
      zone.hold({ name: 'cell', type: 'NAPTR', data: '', ttl: 600 })
      return async () => zone.records.map(lasting).sort()
    },
    extra: async () => {
      const weighted_config = { weighted_ips: [{ ip: '192.0.2.7', weight: 3 }] }
      const matches = [{ countries: ['FR'], continents: ['EU'], data: '192.0.2.8' }]
      add(
        { name: 'extra', type: 'A', data: '192.0.2.1', weighted_config },
        { name: 'extra', type: 'A', data: '192.0.2.2', geo_ip_config: { matches, default: '192.0.2.9' } },
      )
      return async () =>
        zone.records
          .filter(({ name }) => name === 'extra')
          .map(lasting)
          .sort()
    },
    writes: () => fake.requests.filter(isWrite).length,
    faults: await httpFaults(fake, credentials, fake.secretKey, {
      unauthorized: unauthorized().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: internal().answer,
      refused: (reason) => invalid('data', reason).answer,
    }),
    delay: delayOf(zone),
    close: async () => fake.deleteZone(zoneName),
  }
}

/** Without Scaleway's own. */
const heldIn = ({ records }: ScalewayZone) =>
  rrsetsOf(
    records
      .filter(({ data }) => !NAME_SERVERS.some((server) => data === `${server}.`))
      .map((record) => ({ ...record, name: record.name === '' ? '@' : record.name, rdata: record.data })),
  )

/** Its id is another one whenever it is written. */
const lasting = (record: ScalewayRecord): string => JSON.stringify({ ...record, id: '' })
