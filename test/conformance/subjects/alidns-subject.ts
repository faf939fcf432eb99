import type { Routing } from '../../../dns/names/rrset.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import { failure, invalid, rdataOf, type AlidnsRecord, type Params } from '../simulators/alidns-domain.ts'
import { forbidden, unknownKey } from '../simulators/alidns-keys.ts'
import { throttled, type AlidnsSimulator } from '../simulators/alidns.ts'
import { httpFaults } from './http-faults.ts'
import { delayOf, withHalf } from './subject-jobs.ts'
import { newMembers, rrsetsOf } from './subject-records.ts'

let domains = 0

/** By line; a weight is of a record alone. */
const routingOf = (line: string): Routing | null => (line === 'default' ? null : { key: line, line })

/**
 * A domain of its own in the simulator, as a subject of the conformance suite. `jobs`: the adapter makes each change by a
 * batch, also one alone.
 */
export async function alidnsSubject(
  provider: Provider,
  sim: AlidnsSimulator,
  { jobs = false } = {},
): Promise<Subject> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = sim.createDomain(zoneName, 1)
  const { apiUrl, accessKeyId, accessKeySecret } = sim
  const credentials = { apiUrl, accessKeyId, accessKeySecret }
  const held = () => rrsetsOf(domain.records.map(toHeld))
  const look = async () => domain.records.map(lasting).sort()
  const faults = await httpFaults(sim, credentials, accessKeySecret, {
    unauthorized: unknownKey().answer,
    forbidden: forbidden().answer,
    rateLimited: throttled().answer,
    failure: failure(
      503,
      'ServiceUnavailable',
      'The request has failed due to a temporary failure of the server.',
    ).answer,
    refused: (reason) => invalid(reason).answer,
  })
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, accessKeySecret: '7f3a'.repeat(8) },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, routing, ttl, member } of newMembers(held(), rrsets)) {
        const record = domain.add({
          ...paramsOf(type, member.value),
          RR: name,
          Type: type,
          TTL: String(member.ttl ?? ttl),
          Line: routing?.line ?? 'default',
        })
        if (member.comment !== undefined) domain.setRemark(record, member.comment)
        if (member.disabled === true) domain.setStatus(record, 'Disable')
      }
    },
    dump: async () => sorted(held()),
    foreign: async () => {
      const made = { RR: 'foreign', Type: 'A', TTL: '3600' }
      domain.setRemark(domain.add({ ...made, Value: '192.0.2.1' }), 'do not touch')
      for (const Value of ['192.0.2.200', '192.0.2.201'])
        domain.setStatus(domain.add({ ...made, Value }), 'Disable')
      domain.add({ RR: 'jump', Type: 'REDIRECT_URL', TTL: '3600', Value: 'http://www.example.net/' })
      return look
    },
    extra: async () => {
      for (const [i, Value] of ['192.0.2.1', '192.0.2.2'].entries())
        domain.setWeight(domain.add({ RR: 'extra', Type: 'A', TTL: '3600', Value }), 10 * (i + 1))
      return look
    },
    routings: [
      { key: 'telecom', line: 'telecom' },
      { key: 'unicom', line: 'unicom' },
    ],
    writes: () => sim.requests.filter(sim.changes).length,
    faults: withHalf(faults, sim.batches),
    ...(jobs && { delay: delayOf(sim.batches) }),
    close: async () => sim.deleteDomain(zoneName),
  }
}

function paramsOf(type: RecordType, value: string): Params {
  if (type === 'TXT') return { Value: bytesOfText(value).toString() }
  const rdata = typeOf(type).write(value)
  const [priority = '', rest = ''] = rdata.split(/ (.*)/)
  return type === 'MX' ? { Priority: priority, Value: rest } : { Value: rdata }
}

const toHeld = (record: AlidnsRecord) => ({
  name: record.RR,
  type: record.Type,
  rdata: rdataOf(record),
  routing: routingOf(record.Line),
  ttl: record.TTL,
  disabled: record.Status === 'DISABLE',
  comment: record.Remark ?? null,
})

/** What of a record is the same when it was made anew. */
const lasting = ({ RR, Type, Value, Line, Weight, LbaStatus, TTL, Status, Remark }: AlidnsRecord): string =>
  JSON.stringify({ RR, Type, Value, Line, Weight, LbaStatus, TTL, Status, Remark })
