import type { Test } from 'tap'
import { memberKey, rrsetKey } from '../../../dns/names/rrset.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import type { Member, Provider, RRset } from '../../../modules/providers/contract.ts'
import { httpFaults } from '../subjects/http-faults.ts'
import type { SubjectFaults } from '../subjects/subject-faults.ts'
import { sorted, type Subject } from '../suite/subject.ts'
import type { Dialect, HeldRecord, NewRecord, SimulatedZone, Simulator } from './dialect.ts'
import { startSimulator } from './simulator.ts'

let zones = 0

/** A zone of its own in the simulator, as a subject of the conformance suite. */
export async function subjectOf<Z extends SimulatedZone, K extends object>(
  provider: Provider,
  sim: Simulator<Z, K>,
): Promise<Subject> {
  const { suite } = sim.dialect
  if (suite === undefined) throw new Error('The dialect has no side for the suite')
  const { zoneName: nameOf = (n: number) => `z${n}.conformance.test` } = suite
  const zoneName = nameOf(++zones)
  const zone = sim.createZone(zoneName, suite.given)
  const credentials = { ...suite.credentials(sim), apiUrl: sim.apiUrl }
  const held = () => rrsetsOf(suite.held(zone))
  const { foreign, extra } = suite
  const looking = (put: typeof foreign) => async () => {
    const look = put?.(zone, sim)
    return async () => look?.()
  }
  const subject: Subject & { faults: SubjectFaults } = {
    provider,
    credentials,
    badCredentials: {
      ...credentials,
      [suite.secret]: typeof suite.wrong === 'string' ? suite.wrong : suite.wrong(sim),
    },
    zoneName,
    missingZone: suite.missingZone ?? { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => {
      suite.seed?.(zone, newRecords(held(), rrsets))
      suite.seedSets?.(zone, rrsets)
    },
    dump: async () => sorted(held()),
    ...(foreign && { foreign: looking(foreign) }),
    ...(extra && { extra: looking(extra) }),
    writes: () => sim.requests.filter(sim.changes).length,
    faults: await httpFaults(sim, credentials, String(Reflect.get(credentials, suite.secret)), suite.faults),
    close: async () => sim.deleteZone(zoneName),
  }
  return { ...subject, ...suite.more?.(subject, zone, sim) }
}

/** Those of the types that we know, as RRsets; each has its TTL also with its members. */
export function rrsetsOf(records: HeldRecord[]): RRset[] {
  const sets = new Map<string, RRset>()
  for (const { name, type: typeName, rdata, routing, ttl, disabled, proxied, comment } of records) {
    const type = readType(typeName)
    const value = type === null ? null : typeOf(type).read(rdata)
    if (type === null || value === null) continue
    const key = rrsetKey({ name, type, routing })
    const set = sets.get(key) ?? { name, type, ...(routing && { routing }), ttl, members: [] }
    const member: Member = {
      value,
      ttl,
      ...(disabled && { disabled }),
      ...(proxied && { proxied }),
      ...(comment && { comment }),
    }
    sets.set(key, { ...set, members: [...set.members, member] })
  }
  return [...sets.values()]
}

/** What isn't held yet: where records stand alone, what is there would be made once more. */
function newRecords(held: RRset[], wanted: RRset[]): NewRecord[] {
  const there = new Set(held.flatMap((set) => set.members.map(({ value }) => memberKey({ ...set, value }))))
  return wanted.flatMap(({ name, type, ttl, routing, members }) =>
    members
      .filter(({ value }) => !there.has(memberKey({ name, type, routing, value })))
      .map((member) => ({ name, type, value: member.value, ttl: member.ttl ?? ttl, routing, member })),
  )
}

/** A simulator for the length of a test, and how to make subjects of it. */
export async function simulate<Z extends SimulatedZone, K extends object>(
  t: Test,
  provider: Provider,
  dialect: Dialect<Z, K>,
  options: Record<string, unknown> = {},
) {
  const sim = await startSimulator(dialect, options)
  t.teardown(() => sim.close())
  return { sim, makeSubject: () => subjectOf(provider, sim) }
}
