import { ProviderError, type Member, type RRset } from '../../../modules/providers/contract.ts'
import { TTL, sorted, type Subject } from '../suite/subject.ts'
import { RETRY_AFTER, type FaultName } from './subject-faults.ts'
import { ManySets } from '../simulators/many-sets.ts'

type Options = ConstructorParameters<typeof ManySets>[0]

/** The provider in memory, as a subject of the conformance suite. */
export async function manySetsSubject(capabilities?: Options): Promise<Subject> {
  const there = new ManySets(capabilities)
  const { provider, credentials, zoneName } = there
  const held = () => structuredClone([...there.rrsets.values()])
  const whole = ({ members, ...rest }: RRset): RRset => ({
    ...rest,
    members: members.map((member) => wholeMember(member, rest.ttl)),
  })
  const { ttlOf, comments, identity } = provider.capabilities
  const wholeMember = (member: Member, ttl: number | null): Member => ({
    ...(ttlOf === 'record' && { ttl }),
    ...(comments && { comment: '' }),
    ...(identity === 'record-id' && { providerId: `seed-${member.value}` }),
    ...member,
  })
  const look = async () => ({ held: sortedAll(held()), unmanaged: structuredClone(there.unmanaged) })
  return {
    provider,
    credentials,
    badCredentials: { ...credentials, secret: 'a-wrong-secret' },
    zoneName,
    missingZone: { id: 'missing.test', name: 'missing.test' },
    seed: async (rrsets) => there.put(...rrsets.map(whole)),
    dump: async () => sorted(held()),
    foreign: async () => {
      const off = (value: string) => ({ value, disabled: true })
      const members = [{ value: '192.0.2.1' }, off('192.0.2.200'), off('192.0.2.201')]
      there.put(whole({ name: 'foreign', type: 'A', ttl: TTL, members }))
      there.unmanaged.push({ name: 'script', type: 'LUA', ttl: TTL, value: 'A "return 1"' })
      return look
    },
    extra: async () => {
      const extra = { tags: ['a', 1], nested: { on: true } }
      const members = [{ value: '192.0.2.1', extra }, { value: '192.0.2.2' }]
      there.put(whole({ name: 'extra', type: 'A', ttl: TTL, extra: { check: 'of the set' }, members }))
      return look
    },
    routings: [
      { key: 'eu', setIdentifier: 'eu', weight: 10 },
      { key: 'cn|telecom', line: 'telecom' },
    ],
    writes: () => there.writes,
    faults: {
      credentials,
      refused: { ...credentials, server: 'down' },
      set: (fault, on) => void (there.failure = { on, ...failureOf(fault, on) }),
      clear: () => void (there.failure = null),
    },
    delay: { set: (times) => void (there.unfinished = times), left: () => Math.max(there.unfinished, 0) },
    commits: {
      fail: (times) => void (there.failingCommits = times),
      isInForce: () => there.uncommitted === 0,
    },
    close: async () => undefined,
  }
}

/** The order of members means nothing. */
const sortedAll = (rrsets: RRset[]) =>
  rrsets.map((rrset) => ({
    ...rrset,
    members: rrset.members.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
  }))

type Kind = ProviderError['kind']

/** What each is to an adapter, what a write does nevertheless, and whether its answer is lost. */
const FAULTS: Record<FaultName, [kind: Kind, applied: boolean | 'half', isLost: boolean]> = {
  silent: ['timeout', false, true],
  silentAfter: ['timeout', true, true],
  reset: ['unavailable', false, true],
  resetAfter: ['unavailable', true, true],
  cut: ['unavailable', true, true],
  garbage: ['unavailable', true, true],
  html: ['unavailable', true, true],
  html502: ['unavailable', false, true],
  failure: ['unavailable', false, true],
  unauthorized: ['auth', false, false],
  forbidden: ['forbidden', false, false],
  rateLimited: ['rate_limited', false, false],
  rateLimitedBare: ['rate_limited', false, false],
  echo: ['rejected', false, false],
  half: ['unavailable', 'half', true],
}

/** As an adapter would say it: there is no connection that could fail. */
function failureOf(name: FaultName, on: 'read' | 'write') {
  const [kind, applied, isLost] = FAULTS[name]
  const error = new ProviderError(kind, 'Many Sets fails as it was told to', {
    outcome: isLost && on === 'write' ? 'unknown' : 'not_applied',
    ...(name === 'rateLimited' && { retryAfter: RETRY_AFTER }),
  })
  return { applied, error }
}
