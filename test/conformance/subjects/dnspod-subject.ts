import type { Routing } from '../../../dns/names/rrset.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import type { Body } from '../simulators/answers.ts'
import { LINES, failure, rdataOf, type DnspodRecord } from '../simulators/dnspod-domain.ts'
import { signatureFailure, tooMany, unauthorized, type DnspodSimulator } from '../simulators/dnspod.ts'
import { httpFaults } from './http-faults.ts'
import { delayOf, withHalf } from './subject-jobs.ts'
import { newMembers, rrsetsOf } from './subject-records.ts'

let domains = 0

/** Those of the default line without a weight are the ones without routing. */
const routingOf = ({
  Line,
  LineId,
  Weight,
}: Pick<DnspodRecord, 'Line' | 'LineId' | 'Weight'>): Routing | null =>
  LineId === '0' && Weight === null
    ? null
    : {
        key: Weight === null ? LineId : `${LineId}|${Weight}`,
        line: Line,
        ...(Weight !== null && { weight: Weight }),
      }

const TELECOM: Routing = { key: '10=0', line: '电信' }
const WEIGHTED: Routing = { key: '0|20', line: '默认', weight: 20 }

/**
 * A domain of its own in the simulator, as a subject of the conformance suite. `jobs`: the adapter makes each change by a job,
 * also one alone.
 */
export async function dnspodSubject(
  provider: Provider,
  sim: DnspodSimulator,
  { jobs = false } = {},
): Promise<Subject> {
  const zoneName = `z${++domains}.conformance.test`
  const domain = sim.createDomain(zoneName, 1)
  const { apiUrl, secretId, secretKey } = sim
  const credentials = { apiUrl, secretId, secretKey }
  const held = () => rrsetsOf(domain.records.filter(({ DefaultNS }) => !DefaultNS).map(toHeld))
  const faults = await httpFaults(sim, credentials, secretKey, {
    unauthorized: signatureFailure().answer,
    forbidden: unauthorized().answer,
    rateLimited: tooMany().answer,
    failure: failure('InternalError', 'An internal error has occurred. Retry your request.').answer,
    refused: (reason) => failure('InvalidParameter.RecordValueInvalid', reason).answer,
  })
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, secretKey: '7f3a'.repeat(8) },
    zoneName,
    missingZone: { id: '99999999', name: 'missing.test' },
    seed: async (rrsets) => {
      for (const { name, type, routing, ttl, member } of newMembers(held(), rrsets))
        domain.create({
          ...bodyOf(type, member.value),
          RecordType: type,
          SubDomain: name,
          RecordLine: routing?.line ?? LINES[0]?.Name,
          ...(routing?.weight !== undefined && { Weight: routing.weight }),
          TTL: member.ttl ?? ttl,
          Status: member.disabled === true ? 'DISABLE' : 'ENABLE',
          Remark: member.comment ?? '',
        })
    },
    dump: async () => sorted(held()),
    foreign: async () => {
      const made = { SubDomain: 'foreign', RecordLine: '默认', TTL: 3600 }
      domain.create({ ...made, RecordType: 'A', Value: '192.0.2.1', Remark: 'do not touch' })
      for (const Value of ['192.0.2.200', '192.0.2.201'])
        domain.create({ ...made, RecordType: 'A', Value, Status: 'DISABLE' })
      domain.create({ ...made, RecordType: 'SPF', Value: 'v=spf1 -all' })
      domain.create({ ...made, SubDomain: 'jump', RecordType: '显性URL', Value: 'http://www.example.net/' })
      return async () => domain.records.map(lasting).sort()
    },
    routings: [TELECOM, WEIGHTED],
    writes: () => sim.requests.filter(sim.changes).length,
    faults: withHalf(faults, sim.jobs),
    ...(jobs && { delay: delayOf(sim.jobs) }),
    close: async () => sim.deleteDomain(zoneName),
  }
}

function bodyOf(type: RecordType, value: string): Body {
  const rdata = typeOf(type).write(value)
  const [priority, rest = ''] = rdata.split(/ (.*)/)
  if (['MX', 'HTTPS', 'SVCB'].includes(type)) return { MX: Number(priority), Value: rest }
  // Of plain texts the text alone, as most clients send it.
  return { Value: type === 'TXT' && /^[ -!#-[\]-~]+$/.test(value) ? bytesOfText(value).toString() : rdata }
}

const toHeld = (record: DnspodRecord) => ({
  name: record.Name,
  type: record.Type,
  rdata: rdataOf(record),
  routing: routingOf(record),
  ttl: record.TTL,
  disabled: record.Status === 'DISABLE',
  comment: record.Remark,
})

/** What of a record is the same when it was made anew. */
const lasting = ({ Name, Type, Value, LineId, Weight, MX, TTL, Status, Remark }: DnspodRecord): string =>
  JSON.stringify({ Name, Type, Value, LineId, Weight, MX, TTL, Status, Remark })
