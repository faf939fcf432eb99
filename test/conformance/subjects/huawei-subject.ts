import { absoluteName, relativeName } from '../../../dns/names/names.ts'
import type { Routing } from '../../../dns/names/rrset.ts'
import { typeOf } from '../../../dns/types/index.ts'
import type { Provider, RRset } from '../../../modules/providers/contract.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import { failure, newId, type HuaweiSet } from '../simulators/huawei-zone.ts'
import { forbidden, tooMany, unauthorized, type HuaweiSimulator } from '../simulators/huawei.ts'
import { httpFaults } from './http-faults.ts'
import { delayOf } from './subject-jobs.ts'
import { rrsetsOf } from './subject-records.ts'

let zones = 0

/** By line and weight; a set of the default line with the weight 1 is one without routing. */
function routingOf({ line, weight }: Pick<HuaweiSet, 'line' | 'weight'>): Routing | null {
  const isPlain = weight === null || weight === 1
  if (line === 'default_view' && isPlain) return null
  return isPlain ? { key: line, line } : { key: `${line}|${weight}`, line, weight }
}

/** A zone of its own in the simulator, as a subject of the conformance suite. */
export async function huaweiSubject(provider: Provider, sim: HuaweiSimulator): Promise<Subject> {
  const zoneName = `z${++zones}.conformance.test`
  const zone = sim.createZone(zoneName)
  const { apiUrl, accessKey, secretKey } = sim
  const credentials = { apiUrl, accessKey, secretKey, region: 'cn-north-4' }
  const seen = () => zone.sets.filter((set) => !set.default)
  const look = async () => seen().map(lasting).sort()
  const put = (before: HuaweiSet[], { name, type, routing, ttl, members }: RRset) => {
    const body = {
      name: `${absoluteName(name, zoneName)}.`,
      type,
      ttl,
      records: members.map(({ value }) => typeOf(type).write(value)),
      ...(routing && { line: routing.line, weight: routing.weight }),
    }
    const held = before.find(
      (set) => set.name === body.name && set.type === type && routingOf(set)?.key === routing?.key,
    )
    if (held === undefined) zone.create(body)
    else zone.update(held.id, body)
  }
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, secretKey: '7f3a'.repeat(10) },
    zoneName,
    missingZone: { id: newId(), name: 'missing.test' },
    seed: async (rrsets) => {
      const before = zone.sets
      for (const item of rrsets) put(before, item)
    },
    dump: async () => sorted(toRRsets(seen(), zoneName)),
    foreign: async () => {
      const made = { type: 'A', ttl: 3600, records: ['192.0.2.1'] }
      zone.create({ ...made, name: `foreign.${zoneName}.`, description: 'do not touch' })
      zone.create({ ...made, name: `paused.${zoneName}.`, status: 'DISABLE' })
      const alias_target = { resource_type: 'LB', resource_domain_name: 'lb.example.net' }
      zone.create({ name: `alias.${zoneName}.`, type: 'A', alias_target })
      return look
    },
    extra: async () => {
      const records = ['192.0.2.1', '192.0.2.2']
      zone.create({ name: `extra.${zoneName}.`, type: 'A', ttl: 3600, records, description: 'of the set' })
      return look
    },
    routings: [
      { key: 'Dianxin', line: 'Dianxin' },
      { key: 'default_view|20', line: 'default_view', weight: 20 },
    ],
    writes: () => sim.requests.filter(sim.changes).length,
    faults: await httpFaults(sim, credentials, secretKey, {
      unauthorized: unauthorized().answer,
      forbidden: forbidden().answer,
      rateLimited: tooMany().answer,
      failure: failure(500, 'DNS.0001', 'Internal error.').answer,
      refused: (reason) => failure(400, 'DNS.0308', reason).answer,
    }),
    delay: delayOf(zone),
    close: async () => sim.deleteZone(zoneName),
  }
}

const toRRsets = (sets: HuaweiSet[], zone: string): RRset[] =>
  rrsetsOf(
    sets
      .filter(({ status }) => status !== 'PENDING_DELETE')
      .flatMap((set) =>
        set.records.map((rdata) => ({
          ...set,
          name: relativeName(set.name, zone) ?? set.name,
          rdata,
          routing: routingOf(set),
          disabled: set.status === 'DISABLE',
        })),
      ),
  )

/** What of a set is the same when it was made anew; the order of its values means nothing. */
const lasting = ({
  name,
  type,
  ttl,
  records,
  description,
  line,
  weight,
  alias_target,
  status,
}: HuaweiSet): string =>
  JSON.stringify({
    name,
    type,
    ttl,
    records: records.toSorted(),
    description,
    line,
    weight,
    alias_target,
    status,
  })
