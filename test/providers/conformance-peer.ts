import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { ProviderError } from '../../modules/providers/contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  Member,
  MemberChange,
  Provider,
  ProviderErrorKind,
  RRset,
  RRsetEdit,
  UnmanagedRecord,
  Zone,
} from '../../modules/providers/contract.ts'
import { applyWhole } from '../../modules/records/completion.ts'
import { startOf } from '../../modules/providers/zone-start.ts'
import { createHttp } from '../../plugins/http.ts'
import { createTcp } from '../../plugins/tcp.ts'
import { adapterContext } from './adapter-context.ts'
import type { RecordType } from '../../schemas/record-type.ts'

/** What can go wrong on the way, in the form of the provider at hand. */
export type FaultName =
  | 'silent' // no answer, no effect
  | 'silentAfter' // no answer, but the effect
  | 'cut' // the effect, and half of the answer
  | 'garbage' // the effect, and something else than the provider's format
  | 'html502' // a proxy's error page with HTML_MARK in it
  | 'unauthorized'
  | 'rateLimited' // Retry-After: 7
  | 'echo' // a refusal whose reason repeats the secret

/** A zone to be created. */
export const newZone = (name: string) =>
  startOf(name, {
    nameServers: ['ns1.example.net', 'ns2.example.net'],
    hostmaster: 'host.master@example.net',
  })

export const HTML_MARK = 'stack trace of an inner host'
export const RETRY_AFTER = 7

export interface PeerFaults {
  /** Credentials by which the faults are met. */
  credentials: Record<string, string>
  /** Good credentials for an address where nobody listens. */
  refused: Record<string, string>
  /** From now on, for all reads or all writes. */
  set(fault: FaultName, on: 'read' | 'write'): void
  clear(): void
}

/** A provider to test against, with an empty zone of its own. */
export interface Peer {
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
  /** Write calls so far. */
  writes?: () => number
  faults?: PeerFaults
  close(): Promise<void>
}

/** An adapter for the peer; its connections end with the test. */
export function open(t: Test, peer: Peer, credentials = peer.credentials, budgetMs = 20_000): DnsAdapter {
  const allow = ['127.0.0.0/8', '::1']
  const [http, tcp] = [createHttp({ allow }), createTcp({ allow })]
  t.teardown(() => http.close())
  t.teardown(() => tcp.close())
  return peer.provider.open(credentials, adapterContext({ http, tcp, signal: AbortSignal.timeout(budgetMs) }))
}

/** All zones that it lists. */
export async function zonesOf(adapter: DnsAdapter): Promise<Zone[]> {
  const zones: Zone[] = []
  for await (const page of adapter.listZones()) zones.push(...page)
  return zones
}

/** Says in the run's output that the case, or the rest of it, can't be tried with this peer, and why. */
export const skip = (t: Test, reason: string): void => void t.pass('not applicable', { skip: reason })

/** A peer with its zone, and an adapter at work on it. */
export interface Session {
  peer: Peer
  adapter: DnsAdapter
  zone: Zone
  /** Everything that the adapter lists, in a stable order. */
  list: () => Promise<{ rrsets: RRset[]; unmanaged: UnmanagedRecord[] }>
  /** Applies the edits, in calls as large as the adapter takes, and makes sure that all succeed. */
  apply: (edits: RRsetEdit[]) => Promise<void>
}

export async function start(t: Test, makePeer: () => Promise<Peer>): Promise<Session> {
  const peer = await makePeer()
  t.teardown(() => peer.close())
  const adapter = open(t, peer)
  const [found] = await adapter.findZones(peer.zoneName)
  if (found === undefined) throw new Error(`The peer's own zone ${peer.zoneName} was not found`)
  const zone = { ...found, ...(peer.zoneSize !== undefined && { size: peer.zoneSize }) }
  const list = () => listAll(adapter, zone)
  const { identity, maxBatch } = peer.provider.capabilities
  const apply = async (edits: RRsetEdit[]) => {
    const known = identity === 'record-id' ? withIds(edits, (await list()).rrsets) : edits
    for (let at = 0; at < known.length; at += maxBatch) {
      const part = known.slice(at, at + maxBatch)
      expectApplied(t, part, await applyEdits(adapter, zone, part))
    }
  }
  return {
    peer,
    adapter,
    zone,
    list: async () => {
      const { rrsets, unmanaged } = await list()
      return { rrsets: sorted(rrsets), unmanaged }
    },
    apply,
  }
}

/** As the service does it: until they are in force, and again where the server takes one write at a time. */
export async function applyEdits(
  adapter: DnsAdapter,
  zone: Zone,
  edits: RRsetEdit[],
): Promise<ChangeOutcome[][]> {
  const lastTry = Date.now() + 20_000
  for (;;) {
    try {
      return await applyWhole(adapter, zone, edits, lastTry)
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

/** The edits with the provider's own ids of the members, as the service knows them from a list. */
function withIds(edits: RRsetEdit[], rrsets: RRset[]): RRsetEdit[] {
  return edits.map((item) => {
    const found = rrsets.find((other) => other.name === item.name && other.type === item.type)
    const known = (member: Member) => found?.members.find((other) => other.value === member.value) ?? member
    const changes = item.changes.map((change): MemberChange => {
      if (change.action === 'add') return change
      if (change.action === 'remove') return { ...change, member: known(change.member) }
      return { ...change, from: known(change.from) }
    })
    return { ...item, changes }
  })
}

/** The error of the call, after checks that hold for every one: its kind, its outcome, no secret in it. */
export async function expectError(
  t: Test,
  peer: Peer,
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
  expectNoSecret(t, peer, error)
  return error
}

function expectNoSecret(t: Test, peer: Peer, error: Error): void {
  const all = [peer.credentials, peer.badCredentials ?? {}, peer.faults?.credentials ?? {}]
  const secrets = Object.entries(peer.provider.credentialSchema.properties)
    .filter(([, schema]) => schema['writeOnly'] === true)
    .flatMap(([name]) => all.map((credentials) => credentials[name]))
    .filter((secret) => secret !== undefined)
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { message, stack = '' } = cause
    if (secrets.some((secret) => message.includes(secret) || stack.includes(secret)))
      t.fail(`a secret: ${message}`)
  }
  t.notMatch(error.message, /<html|<body/i, 'no page in the message')
  t.notOk(error.message.includes(HTML_MARK), 'nothing of the page in the message')
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b)

/** In a stable order, and only name, type, TTL, values and whether they are served. */
export function sorted(rrsets: RRset[]): RRset[] {
  const plain = rrsets.map(({ name, type, ttl, members }) => ({
    name,
    type,
    ttl,
    members: members
      .map(({ value, disabled }) => ({ value, ...(disabled && { disabled }) }))
      .sort((a, b) => compare(a.value, b.value)),
  }))
  return plain.sort((a, b) => compare(`${a.name} ${a.type}`, `${b.name} ${b.type}`))
}

export const rrset = (name: string, type: RecordType, values: string[], ttl = 300): RRset => ({
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

export const edit = (name: string, type: RecordType, changes: MemberChange[], ttl = 300): RRsetEdit => ({
  name,
  type,
  ttl,
  changes,
})
