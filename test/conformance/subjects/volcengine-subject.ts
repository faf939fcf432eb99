import type { Routing } from '../../../dns/names/rrset.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import { badSignature, forbidden, internal, invalid, throttled } from '../simulators/volcengine-answers.ts'
import { presentationOf, type VolcengineRecord } from '../simulators/volcengine-zone.ts'
import type { VolcengineSimulator } from '../simulators/volcengine.ts'
import { httpFaults } from './http-faults.ts'
import { newMembers, rrsetsOf } from './subject-records.ts'

let zones = 0

/** By line; a weight is of a record alone. */
const routingOf = (line: string): Routing | null => (line === 'default' ? null : { key: line, line })

/** A zone of its own in the simulator, as a subject of the conformance suite. */
export async function volcengineSubject(provider: Provider, sim: VolcengineSimulator): Promise<Subject> {
  const zoneName = `z${++zones}.conformance.test`
  // As if the suite's zones were right below one of the registries.
  sim.suffixes.add(zoneName)
  const zone = sim.createZone(zoneName, 1)
  const { apiUrl, accessKeyId, secretAccessKey } = sim
  const credentials = { apiUrl, accessKeyId, secretAccessKey }
  const held = () => rrsetsOf(zone.records.map(toHeld))
  const look = async () => [...zone.records.map(lasting).sort(), ...zone.weightedSets]
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, secretAccessKey: '7f3a'.repeat(11) },
    zoneName,
    missingZone: { id: '99999999', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, routing, ttl, member } of newMembers(held(), rrsets)) {
        const { RecordID } = zone.create({
          Host: name,
          Type: type,
          Value: valueOf(type, member.value),
          TTL: member.ttl ?? ttl,
          Line: routing?.line ?? 'default',
          Remark: member.comment ?? '',
        })
        if (member.disabled === true) zone.enable(RecordID, false)
      }
    },
    dump: async () => sorted(held()),
    foreign: async () => {
      const made = { Host: 'foreign', Type: 'A', TTL: 3600 }
      const first = zone.create({ ...made, Value: '192.0.2.1', Remark: 'do not touch' })
      // Of a type that is newer than what is known.
      zone.hold({ ...first, Host: 'jump', Type: 'URL', Value: 'https://www.example.net/' })
      for (const Value of ['192.0.2.200', '192.0.2.201'])
        zone.enable(zone.create({ ...made, Value }).RecordID, false)
      return look
    },
    extra: async () => {
      for (const [i, Value] of ['192.0.2.1', '192.0.2.2'].entries()) {
        const made = zone.create({ Host: 'extra', Type: 'A', TTL: 3600, Value, Weight: 10 * (i + 1) })
        zone.weigh(made.RecordSetID, true)
      }
      return look
    },
    routings: [
      { key: 'telecom', line: 'telecom' },
      { key: 'unicom', line: 'unicom' },
    ],
    writes: () => sim.requests.filter(sim.changes).length,
    faults: await httpFaults(sim, credentials, secretAccessKey, {
      unauthorized: badSignature().answer,
      forbidden: forbidden().answer,
      rateLimited: throttled().answer,
      failure: internal().answer,
      refused: (reason) => invalid(reason).answer,
    }),
    close: async () => sim.deleteZone(zoneName),
  }
}

const valueOf = (type: RecordType, value: string): string =>
  type === 'TXT' ? bytesOfText(value).toString() : typeOf(type).write(value)

const toHeld = (record: VolcengineRecord) => ({
  name: record.Host,
  type: record.Type,
  rdata: presentationOf(record),
  routing: routingOf(record.Line),
  ttl: record.TTL,
  disabled: !record.Enable,
  comment: record.Remark,
})

/** What of a record is the same when it was made anew. */
const lasting = ({ Host, Type, Value, Line, Weight, TTL, Enable, Remark }: VolcengineRecord): string =>
  JSON.stringify({ Host, Type, Value, Line, Weight, TTL, Enable, Remark })
