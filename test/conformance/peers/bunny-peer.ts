import type { Provider } from '../../../modules/providers/contract.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { sorted, TTL, type Peer } from '../suite/peer.ts'
import type { Body } from '../simulators/answers.ts'
import { TYPES, invalid, presentationOf, type BunnyRecord, type BunnyZone } from '../simulators/bunny-zone.ts'
import { forbidden, internal, tooMany, unauthorized, type FakeBunny } from '../simulators/bunny.ts'
import { splitData } from '../simulators/rdata.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let zones = 0

/** A zone of its own at the fake, as a peer of the conformance suite. */
export async function bunnyPeer(provider: Provider, fake: FakeBunny): Promise<Peer> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = fake.createZone(zoneName)
  const credentials = { apiUrl: fake.apiUrl, apiKey: fake.apiKey }
  const put = (Name: string, Value: string, more: Body) => void zone.put({ Name, Value, Ttl: TTL, ...more })
  const lookAt = (name?: string) => async () =>
    zone.records
      .filter(({ Name }) => (name ?? Name) === Name)
      .map(lasting)
      .sort()
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiKey: '7f3a'.repeat(18) },
    zoneName,
    missingZone: { id: '999999999', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(heldIn(zone), rrsets))
        zone.put({
          ...bodyOf(type, member.value),
          Type: TYPES.indexOf(type),
          Name: name === '@' ? '' : name,
          Ttl: member.ttl ?? ttl,
          Disabled: member.disabled ?? false,
          Comment: member.comment ?? '',
        })
    },
    dump: async () => sorted(heldIn(zone)),
    foreign: async () => {
      put('foreign', '192.0.2.1', { Comment: 'do not touch' })
      for (const Value of ['192.0.2.200', '192.0.2.201']) put('foreign', Value, { Disabled: true })
      zone.put({ Type: TYPES.indexOf('Redirect'), Name: 'jump', Value: 'https://www.example.net/' })
      zone.put({ Type: TYPES.indexOf('PullZone'), Name: 'foreign', PullZoneId: 4711 })
      return lookAt()
    },
    extra: async () => {
      const place = { SmartRoutingType: 2, GeolocationLatitude: 48.1, GeolocationLongitude: 11.5 }
      put('extra', '192.0.2.1', place)
      put('extra', '192.0.2.2', { Weight: 30, MonitorType: 1, AutoSslIssuance: false })
      return lookAt('extra')
    },
    writes: () => fake.requests.filter(isWrite).length,
    faults: await httpFaults(fake, credentials, fake.apiKey, {
      unauthorized: unauthorized().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: internal().answer,
      refused: (reason) => invalid('Value', reason).answer,
    }),
    close: async () => fake.deleteZone(zoneName),
  }
}

function bodyOf(type: RecordType, value: string): Body {
  if (type === 'CAA') {
    const { flags, tag, value: text } = typeOf(type).toData(value)
    return { Flags: flags, Tag: tag, Value: text }
  }
  const { data, priority, weight, port } = splitData(type, value)
  const [first = '', rest = ''] = data.split(/ (.*)/)
  if (type === 'SVCB' || type === 'HTTPS') return { Priority: Number(first), Value: rest }
  return { Value: data, Priority: priority ?? 0, Weight: weight ?? 0, Port: port ?? 0 }
}

const heldIn = ({ records }: BunnyZone) =>
  rrsetsOf(
    records.map((record) => {
      const type = TYPES[record.Type] ?? ''
      return {
        name: record.Name === '' ? '@' : record.Name,
        type,
        ttl: record.Ttl,
        rdata: presentationOf(type, record.Value, record),
        disabled: record.Disabled,
        comment: record.Comment,
      }
    }),
  )

/** What of a record is the same when it was made anew. */
const lasting = (record: BunnyRecord): string => JSON.stringify({ ...record, Id: 0 })
