import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { ProviderError } from '../../../modules/providers/contract.ts'
import type { Routing } from '../../../dns/names/rrset.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  MemberChange,
  Provider,
  ProviderErrorKind,
  RRset,
  RRsetEdit,
  UnmanagedRecord,
  Zone,
} from '../../../modules/providers/contract.ts'
import { batchesOf } from '../../../modules/records/apply/provider/batches.ts'
import { writeEdits } from '../../../modules/records/apply/provider/completion.ts'
import { startOf } from '../../../modules/providers/configs/zone-start.ts'
import { createHttp } from '../../../plugins/outbound/http.ts'
import { createTcp } from '../../../plugins/outbound/tcp.ts'
import { adapterContext } from '../adapter-context.ts'
import { asSent } from './sent.ts'
import {
  HTML_MARK,
  type SubjectCommits,
  type SubjectDelay,
  type SubjectFaults,
} from '../subjects/subject-faults.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'

/** Seconds; all providers take it. */
export const TTL = 3_600
/** Most take it. */
export const OTHER_TTL = 7_200

/** Another than `TTL` that the subject takes; `TTL` itself where its zone has no other. */
export const otherTtl = ({ provider: { capabilities } }: Pick<Subject, 'provider'>): number =>
  capabilities.ttlOf === 'zone' ? TTL : (capabilities.ttls?.find((ttl) => ttl > TTL) ?? OTHER_TTL)

/** A zone to be created. */
export const newZone = (name: string) =>
  startOf(name, {
    nameServers: ['ns1.example.net', 'ns2.example.net'],
    hostmaster: 'host.master@example.net',
  })

/** A provider to test against, with an empty zone of its own. */
export interface Subject {
  provider: Provider
  credentials: Record<string, string>
  /** The same account with a wrong secret; missing where there is no secret. */
  badCredentials?: Record<string, string>
  zoneName: string
  /** How large the adapter is told that the zone is; missing: not told. */
  zoneSize?: number
  /** A zone that isn't there. */
  missingZone: Zone
  /** Puts RRsets there, not by the adapter. */
  seed(rrsets: RRset[]): Promise<void>
  /** The RRsets that are there, not by the adapter; without what the provider made with the zone. */
  dump(): Promise<RRset[]>
  /**
   * Where the provider can hold what we don't manage: puts A records at `foreign`, of which only 192.0.2.1 is
   * served, and more of other types. Answers how to look at all of it.
   */
  foreign?: () => Promise<() => Promise<unknown>>
  /**
   * Where the provider holds more beside records and sets than there are words for: puts A records 192.0.2.1 and
   * 192.0.2.2 with such at `extra`. Answers how to look at all of it.
   */
  extra?: () => Promise<() => Promise<unknown>>
  /** Two that it takes, where `capabilities.routing`. */
  routings?: [Routing, Routing]
  /** Write calls so far. */
  writes?: () => number
  faults?: SubjectFaults
  delay?: SubjectDelay
  commits?: SubjectCommits
  close(): Promise<void>
}

/** An adapter for the subject; its connections end with the test. `budget`: milliseconds, or what ends them. */
export async function open(
  t: Test,
  subject: Subject,
  credentials = subject.credentials,
  budget: number | AbortSignal = 20_000,
  maxZoneRecords = 100_000,
): Promise<DnsAdapter> {
  const allow = ['127.0.0.0/8', '::1']
  const [http, tcp] = [createHttp({ allow }), createTcp({ allow })]
  t.teardown(() => http.close())
  t.teardown(() => tcp.close())
  const signal = typeof budget === 'number' ? AbortSignal.timeout(budget) : budget
  const { parallelWrites = 1 } = subject.provider
  const context = adapterContext({ http, tcp, signal, maxZoneRecords, parallelWrites })
  return subject.provider.open(credentials, context)
}

/** All zones that it lists. */
export async function zonesOf(adapter: DnsAdapter): Promise<Zone[]> {
  const zones: Zone[] = []
  for await (const page of adapter.listZones()) zones.push(...page)
  return zones
}

/** Says in the run's output that the case, or the rest of it, can't be tried with this subject, and why. */
export const skip = (t: Test, reason: string): void => void t.pass('not applicable', { skip: reason })

/** A subject with its zone, and an adapter at work on it. */
export interface Session {
  subject: Subject
  adapter: DnsAdapter
  zone: Zone
  /** Everything that the adapter lists, in a stable order. */
  list: () => Promise<{ rrsets: RRset[]; unmanaged: UnmanagedRecord[] }>
  /** The edits as the service sends them. */
  sent: (edits: RRsetEdit[]) => Promise<RRsetEdit[]>
  /** Applies the edits, in calls as large as the adapter takes, and makes sure that all succeed. */
  apply: (edits: RRsetEdit[]) => Promise<void>
}

/** Milliseconds since 1970 until which a change is waited for. */
const soon = () => Date.now() + 20_000

export async function start(t: Test, makeSubject: () => Promise<Subject>): Promise<Session> {
  const subject = await makeSubject()
  t.teardown(() => subject.close())
  const adapter = await open(t, subject)
  const [found] = await adapter.findZones(subject.zoneName)
  if (found === undefined) throw new Error(`The subject's own zone ${subject.zoneName} was not found`)
  const zone = { ...found, ...(subject.zoneSize !== undefined && { size: subject.zoneSize }) }
  const list = () => listAll(adapter, zone)
  const sent = async (edits: RRsetEdit[]) => asSent(edits, async () => (await list()).rrsets, subject)
  const apply = async (edits: RRsetEdit[]) => {
    for (const batch of batchesOf(await sent(edits), subject.provider.capabilities))
      expectApplied(t, batch, await applyEdits(adapter, zone, batch))
  }
  return {
    subject,
    adapter,
    zone,
    list: async () => {
      const { rrsets, unmanaged } = await list()
      return { rrsets: sorted(rrsets), unmanaged }
    },
    sent,
    apply,
  }
}

/** As the service does it: until they are in force, and again where the server takes one write at a time. */
export async function applyEdits(
  adapter: DnsAdapter,
  zone: Zone,
  edits: RRsetEdit[],
): Promise<ChangeOutcome[][]> {
  const lastTry = soon()
  for (;;) {
    try {
      return await writeEdits(adapter, zone, edits, { lastTry, cutOff: new AbortController().signal })
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'locked' || Date.now() > lastTry) throw error
      await sleep(20 + Math.random() * 100)
    }
  }
}

async function listAll(
  adapter: DnsAdapter,
  zone: Zone,
): Promise<{ rrsets: RRset[]; unmanaged: UnmanagedRecord[] }> {
  const all = { rrsets: [] as RRset[], unmanaged: [] as UnmanagedRecord[] }
  for await (const page of adapter.listRRsets(zone)) {
    all.rrsets.push(...page.rrsets)
    all.unmanaged.push(...page.unmanaged)
  }
  return all
}

function expectApplied(t: Test, edits: RRsetEdit[], outcomes: ChangeOutcome[][]): void {
  const counts = edits.map((item) => item.changes.length)
  const shape = outcomes.map((changes) => changes.length)
  if (shape.join() !== counts.join()) t.same(shape, counts, 'an outcome for each change of each edit')
  for (const outcome of outcomes.flat()) if (!outcome.ok) t.fail(outcome.error.message)
}

/** The error of the call, after checks that hold for every one: its kind, its outcome, no secret in it. */
export async function expectError(
  t: Test,
  subject: Subject,
  call: Promise<unknown>,
  kind: ProviderErrorKind | ProviderErrorKind[],
  outcome: 'not_applied' | 'unknown' = 'not_applied',
): Promise<ProviderError | undefined> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ProviderError)) {
    t.fail('rejects with ProviderError', { found: error })
    return undefined
  }
  t.ok([kind].flat().includes(error.kind), `kind ${String(kind)}`, {
    found: error.kind,
    message: error.message,
  })
  t.equal(error.outcome, outcome, `outcome ${outcome}`)
  expectNoSecret(t, subject, error)
  return error
}

function expectNoSecret(t: Test, subject: Subject, error: Error): void {
  const all = [subject.credentials, subject.badCredentials ?? {}, subject.faults?.credentials ?? {}]
  const secrets = Object.entries(subject.provider.credentialSchema.properties)
    .filter(([, schema]) => schema['writeOnly'] === true)
    // Some may be left out.
    .flatMap(([name]) => all.flatMap((credentials) => credentials[name] || []))
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { message, stack = '' } = cause
    if (secrets.some((secret) => message.includes(secret) || stack.includes(secret)))
      t.fail(`a secret: ${message}`)
  }
  t.notMatch(error.message, /<html|<body/i, 'no page in the message')
  t.notOk(error.message.includes(HTML_MARK), 'nothing of the page in the message')
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b)

/**
 * In a stable order, without ids and what only the provider reads; a TTL that all records of a set have alike is that
 * of the set.
 */
export function sorted(rrsets: RRset[]): RRset[] {
  const keyOf = ({ name, type, routing }: RRset) => `${name} ${type} ${routing?.key ?? ''}`
  return rrsets.map(plain).sort((a, b) => compare(keyOf(a), keyOf(b)))
}

function plain({ name, type, routing, ttl, members }: RRset): RRset {
  const ttls = members.map((member) => (member.ttl === undefined ? ttl : member.ttl))
  const [first = ttl] = ttls
  const isCommon = ttls.every((other) => other === first)
  const shown = members.map(({ value, disabled, proxied, comment }, i) => ({
    value,
    ...(disabled && { disabled }),
    ...(proxied && { proxied }),
    ...(comment && { comment }),
    ...(!isCommon && { ttl: ttls[i] ?? null }),
  }))
  return {
    name,
    type,
    ...(routing && { routing }),
    ttl: isCommon ? first : null,
    members: shown.sort((a, b) => compare(a.value, b.value)),
  }
}

export const rrset = (name: string, type: RecordType, values: string[], ttl: number | null = TTL): RRset => ({
  name,
  type,
  ttl,
  members: values.map((value) => ({ value })),
})

export const add = (value: string): MemberChange => ({ action: 'add', member: { value } })
export const remove = (value: string): MemberChange => ({ action: 'remove', member: { value } })
export const replace = (from: string, to: string): MemberChange => ({
  action: 'replace',
  from: { value: from },
  to: { value: to },
})

export const edit = (
  name: string,
  type: RecordType,
  changes: MemberChange[],
  ttl: number | null = TTL,
): RRsetEdit => ({
  name,
  type,
  ttl,
  changes,
})
