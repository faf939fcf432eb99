import { relativeName } from '../../../dns/names/names.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Peer } from '../suite/peer.ts'
import type { Body } from '../simulators/answers.ts'
import { invalid, presentationOf, type IonosZone } from '../simulators/ionos-zone.ts'
import { forbidden, internal, tooMany, unauthorized, type FakeIonos } from '../simulators/ionos.ts'
import { splitData } from '../simulators/rdata.ts'
import { isWrite } from '../simulators/server.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './peer-records.ts'

let zones = 0

/** A zone of its own at the fake, as a peer of the conformance suite. */
export async function ionosPeer(provider: Provider, fake: FakeIonos): Promise<Peer> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = fake.createZone(zoneName)
  const own = new Set(zone.records.map(({ id }) => id))
  const credentials = { apiUrl: fake.apiUrl, apiKey: fake.apiKey }
  const held = () => heldIn(zone, own)
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, apiKey: `${'7f3a'.repeat(8)}.${'7f3a'.repeat(10)}` },
    zoneName,
    missingZone: { id: '00000000-0000-4000-8000-000000000000', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, ttl, member } of newMembers(held(), rrsets)) {
        const whole = name === '@' ? zoneName : `${name}.${zoneName}`
        const disabled = member.disabled ?? false
        zone.create([{ ...bodyOf(type, member.value), name: whole, type, ttl: member.ttl ?? ttl, disabled }])
      }
    },
    dump: async () => sorted(held()),
    writes: () => fake.requests.filter(isWrite).length,
    faults: await httpFaults(fake, credentials, fake.apiKey, {
      unauthorized: unauthorized().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: internal().answer,
      refused: (reason) => invalid({ content: reason }, 'content').answer,
    }),
    close: async () => fake.deleteZone(zoneName),
  }
}

function bodyOf(type: RecordType, value: string): Body {
  const { data, priority = 0, weight, port } = splitData(type, value)
  if (type === 'TXT') return { content: typeOf('TXT').write(value) }
  return { content: type === 'SRV' ? `${weight} ${port} ${data}` : data, prio: priority }
}

const heldIn = ({ records, name: zone }: IonosZone, own: Set<string>) =>
  rrsetsOf(
    records
      .filter(({ id }) => !own.has(id))
      .map((record) => ({
        ...record,
        name: relativeName(record.name, zone) ?? record.name,
        rdata: presentationOf(record),
      })),
  )
