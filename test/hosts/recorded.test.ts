import { readFileSync } from 'node:fs'
import t from 'tap'
import { readType, typeOf } from '../../dns/types/index.ts'
import { ProviderError, type ProviderErrorKind } from '../../modules/providers/contract.ts'
import type { RRset } from '../../modules/providers/contract.ts'
import { DIFFERENCES, FIELDS } from '../conformance/recorded/differences.ts'
import { powerDnsSubject } from '../conformance/subjects/powerdns-subject.ts'
import { SIMULATED, type SimulatedProvider } from '../conformance/simulated-providers.ts'
import { startPowerDnsSimulator } from '../conformance/simulators/powerdns.ts'
import type { SimulatorAnswer } from '../conformance/simulators/server.ts'
import { add, edit, start, type Subject } from '../conformance/suite/subject.ts'

interface Shown {
  name: string
  type: string
  value: string
  ttl: number | null
}
interface Recording {
  /** As the provider answered it, with what it means; null: nothing that we manage. */
  records: { from: string; wire: Record<string, unknown>; shows: Shown[] | null }[]
  creates: { record: Shown; stored: Record<string, unknown>[] }[]
  errors: {
    id: string
    on: 'any' | 'read' | 'write'
    expect: keyof typeof KINDS
    status: number
    headers: Record<string, string>
    body: unknown
  }[]
}

const KINDS = {
  rate: ['rate_limited', 'locked'],
  'rate-long': ['rate_limited'],
  'rate-or-rejected': ['rate_limited', 'locked', 'rejected'],
  auth: ['auth', 'forbidden'],
  rejected: ['rejected', 'conflict', 'quota'],
  unavailable: ['unavailable'],
  'rejected-or-unavailable': ['rejected', 'unavailable', 'conflict'],
} satisfies Record<string, ProviderErrorKind[]>

/** The recording of the provider, with the zone of the subject for its own. */
const readRecording = (file: string, zoneName: string) =>
  JSON.parse(
    readFileSync(new URL(`../conformance/recorded/${file}.json`, import.meta.url), 'utf8').replaceAll(
      'recorded.example',
      zoneName,
    ),
  ) as Recording

/** RRsets of the records, and of nothing else that the recording shows of their names and types. */
function rrsetsOf(shown: Shown[]): RRset[] {
  const sets = new Map<string, RRset>()
  for (const { name, type: typeName, value, ttl } of shown) {
    const type = readType(typeName)
    if (type === null) continue
    const set = sets.get(`${name} ${type}`) ?? { name, type, ttl, members: [] }
    set.members.push({ value: type === 'TXT' ? value : (typeOf(type).read(value) ?? value) })
    sets.set(`${name} ${type}`, set)
  }
  return [...sets.values()]
}

/** All objects in the answer: of JSON at any depth, of XML those with attributes or with elements of text alone. */
function objectsIn({ body = '' }: SimulatorAnswer): Record<string, unknown>[] {
  const text = String(body)
  if (text.startsWith('<')) return objectsInXml(text)
  const found: Record<string, unknown>[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) found.push(value as Record<string, unknown>)
    for (const inner of Object.values(value)) visit(inner)
  }
  try {
    visit(JSON.parse(text))
  } catch {
    // No JSON, such as an empty answer.
  }
  return found
}

function objectsInXml(text: string): Record<string, unknown>[] {
  const plain = (value: string) =>
    value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const attributes = [...text.matchAll(/<host ([^>]*?)\/>/gi)].map(([, inner = '']) =>
    Object.fromEntries(
      [...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value = '']) => [key, plain(value)]),
    ),
  )
  const sets = [...text.matchAll(/<ResourceRecordSet>(.*?)<\/ResourceRecordSet>/gs)].map(
    ([, inner = '']) => ({
      Name: /<Name>(.*?)<\/Name>/.exec(inner)?.[1],
      Type: /<Type>(.*?)<\/Type>/.exec(inner)?.[1],
      TTL: Number(/<TTL>(.*?)<\/TTL>/.exec(inner)?.[1]),
      ResourceRecords: [...inner.matchAll(/<Value>(.*?)<\/Value>/gs)].map(([, value = '']) => plain(value)),
    }),
  )
  return [...attributes, ...sets]
}

/** Equal but for the ignored fields, the order of lists, and numbers as text. */
function isAlike(recorded: unknown, simulated: unknown, ignored: ReadonlySet<string>): boolean {
  if (Array.isArray(recorded) && Array.isArray(simulated))
    return (
      recorded.length === simulated.length &&
      recorded.every((one) => simulated.some((other) => isAlike(one, other, ignored)))
    )
  if (typeof recorded !== 'object' || recorded === null) return String(recorded) === String(simulated)
  if (typeof simulated !== 'object' || simulated === null) return false
  return Object.entries(recorded).every(
    ([key, value]) => ignored.has(key) || isAlike(value, Reflect.get(simulated, key), ignored),
  )
}

const PROVIDERS: Record<string, Pick<SimulatedProvider, 'start'>> = {
  ...SIMULATED,
  powerdns: {
    start: async () => {
      const sim = await startPowerDnsSimulator()
      return { sim, subject: await powerDnsSubject({ apiUrl: sim.url, apiKey: sim.apiKey, front: sim }) }
    },
  },
}

for (const [name, { start: startProvider }] of Object.entries(PROVIDERS)) {
  const file = name === 'alidns' ? 'aliyun' : name
  const known = DIFFERENCES[name]
  if (known === undefined) continue
  const ignored = new Set(Object.keys(FIELDS[name] ?? {}))
  const differs = (what: string) => known[what]

  void t.test(name, async (t) => {
    const { sim, subject: first } = await startProvider()
    t.teardown(() => sim.close())
    const recording = readRecording(file, first.zoneName)
    const answered: SimulatorAnswer[] = []
    sim.watch((answer) => void answered.push(answer))
    const { adapter, zone, list } = await start(t, async (): Promise<Subject> => first)

    await t.test('records look as they were recorded', async (t) => {
      const isOwn = ({ name: at, type }: Shown) => at === '@' && ['NS', 'SOA'].includes(type)
      const wanted = recording.records.filter(
        ({ shows, wire }, i) =>
          (shows ?? []).length > 0 &&
          !(shows ?? []).some(isOwn) &&
          wire !== null &&
          differs(`record ${i}`) === undefined,
      )
      const sets = rrsetsOf(wanted.flatMap(({ shows }) => shows ?? []))
      for (const set of sets) await first.seed([set])
      answered.length = 0
      const { rrsets } = await list()
      const there = answered.flatMap(objectsIn)
      for (const { wire } of wanted)
        t.ok(
          there.some((object) => isAlike(wire, object, ignored)),
          JSON.stringify(wire),
          {
            record: recording.records.findIndex((one) => one.wire === wire),
            near: nearest(wire, there, ignored),
          },
        )
      for (const { name: at, type, members } of sets) {
        const held = rrsets.find((set) => set.name === at && set.type === type)
        t.same(
          held?.members.map(({ value }) => value).toSorted(),
          members.map(({ value }) => value).toSorted(),
          `${at} ${type}`,
        )
      }
    })

    await t.test('what the adapter creates is stored as it was recorded', async (t) => {
      for (const [i, { record, stored }] of recording.creates.entries()) {
        if (differs(`create ${i}`) !== undefined) continue
        const [set] = rrsetsOf([record])
        if (set === undefined) continue
        const found = await adapter.readRRset(zone, set.name, set.type)
        const ttl = found?.ttl ?? set.ttl
        await applied(
          adapter.apply(zone, [
            edit(
              set.name,
              set.type,
              set.members.map(({ value }) => add(value)),
              ttl,
            ),
          ]),
        )
        await adapter.commit?.(zone)
        answered.length = 0
        await list()
        const there = answered.flatMap(objectsIn)
        for (const wire of stored)
          t.ok(
            there.some((object) => isAlike(wire, object, ignored)),
            `create ${i}: ${JSON.stringify(wire)}`,
            { near: nearest(wire, there, ignored) },
          )
      }
    })

    await t.test('recorded errors are understood', async (t) => {
      for (const { id, on, expect, status, headers, body } of recording.errors) {
        if (differs(id) !== undefined) continue
        const answer = { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
        sim.fail({ kind: 'answer', answer, times: Infinity, ...(on !== 'any' && { on }) })
        const call =
          on === 'write'
            ? applied(adapter.apply(zone, [edit('error', 'A', [add('192.0.2.1')])]))
            : adapter.readRRset(zone, 'error', 'A')
        const error: unknown = await call.then(() => undefined).catch((reason: unknown) => reason)
        sim.heal()
        const kinds: ProviderErrorKind[] = KINDS[expect]
        t.ok(error instanceof ProviderError && kinds.includes(error.kind), id, { found: error })
      }
    })
  })
}

/** Throws the first outcome that failed. */
async function applied(call: Promise<unknown>): Promise<void> {
  const outcomes = await call
  if (!Array.isArray(outcomes)) return
  for (const outcome of outcomes.flat() as { ok: boolean; error?: Error }[])
    if (!outcome.ok) throw outcome.error ?? new Error('not applied')
}

/** What differs from the object that has most fields alike, for the diagnostics. */
function nearest(wire: object, there: Record<string, unknown>[], ignored: ReadonlySet<string>): unknown {
  const differing = (object: Record<string, unknown>) =>
    Object.entries(wire).flatMap(([key, value]) =>
      ignored.has(key) || isAlike(value, object[key], ignored)
        ? []
        : [`${key}: ${JSON.stringify(value)} is ${JSON.stringify(object[key])}`],
    )
  return there
    .map(differing)
    .toSorted((a, b) => a.length - b.length)[0]
    ?.join('; ')
}
