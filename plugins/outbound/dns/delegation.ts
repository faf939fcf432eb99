import { isBelow } from '../../../dns/names/names.ts'
import { RCODE, type ResourceRecord } from '../../../dns/wire/message.ts'
import { typeCode, typeName } from '../../../dns/wire/type-codes.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { OutboundError } from '../http-exchange.ts'
import type { DnsAnswer, DnsQuestion, DnsServer } from './query.ts'

/** A name server that the parent zone names. Addresses are not checked by the outbound guard; `query` does that. */
export interface NameServer {
  /** Canonical. */
  name: string
  /** Addresses that the parent zone gives along; usual only for names below the zone. */
  glue: string[]
  /** From its own zone by the resolvers, or the glue if they know none. Empty: the name has no address. */
  addresses: string[]
}

/** How the parent zone delegates a zone. */
export interface Delegation {
  /** The parent zone; "." for the root. */
  parent: string
  /** Servers of the parent zone; the DS records of the zone are there. */
  parentServers: DnsServer[]
  servers: NameServer[]
}

export interface DelegationTools {
  /** Asks the resolvers. */
  resolve: (question: DnsQuestion, signal?: AbortSignal) => Promise<DnsAnswer>
  /** Asks an authoritative server, without recursion. */
  query: (server: DnsServer, question: DnsQuestion, signal?: AbortSignal) => Promise<DnsAnswer>
  /** Where name servers listen. */
  port: number
}

/** Zones between the one that the resolvers find and the one looked for. */
const MAX_REFERRALS = 8
/** Servers of the parent zone that are asked until one answers. */
const MAX_PARENT_SERVERS = 6
/** More are not looked up. */
const MAX_NAME_SERVERS = 13

/**
 * Finds how the parent delegates a zone: the resolvers find the closest zone above it, whose servers answer with the
 * referral (RFC 1034 section 4.3.2). Null: the parent says that it is not delegated. Rejects with OutboundError if
 * neither resolvers nor servers of the parent answer.
 */
export async function findDelegation(
  tools: DelegationTools,
  zone: string,
  signal?: AbortSignal,
): Promise<Delegation | null> {
  let parent = await zoneAbove(tools, zone, signal)
  for (let referrals = 0; referrals <= MAX_REFERRALS; referrals++) {
    const parentServers = parent.servers
      .flatMap(({ addresses }) => addresses)
      .map((address) => ({ address, port: tools.port }))
    const answer = await askAny(tools, parentServers, { name: zone, type: 'NS' }, signal)
    const cut = cutIn(answer, zone, parent.name)
    if (cut === null) return null
    const servers = await nameServers(tools.resolve, cut.names, answer.additionals, signal)
    if (cut.name === zone) return { parent: parent.name, parentServers, servers }
    parent = { name: cut.name, servers }
  }
  throw unknown(zone)
}

interface FoundZone {
  name: string
  servers: NameServer[]
}

async function zoneAbove(tools: DelegationTools, zone: string, signal?: AbortSignal): Promise<FoundZone> {
  for (let name = above(zone); ; name = above(name)) {
    const { answers } = await tools.resolve({ name, type: 'NS' }, signal)
    const names = targets(answers, name)
    if (names.length > 0) return { name, servers: await nameServers(tools.resolve, names, [], signal) }
    if (name === '.') throw unknown(zone)
  }
}

const unknown = (zone: string) =>
  new OutboundError('unreachable', `The name servers of the zone above ${zone} can't be found`, true)

function above(name: string): string {
  const labels = splitLabels(name).slice(1)
  return labels.length === 0 ? '.' : labels.join('.')
}

/** The answer of the first server that knows the zone it is asked about. */
async function askAny(
  { query }: DelegationTools,
  servers: DnsServer[],
  question: DnsQuestion,
  signal?: AbortSignal,
): Promise<DnsAnswer> {
  let failure: unknown = unknown(question.name)
  for (const server of servers.slice(0, MAX_PARENT_SERVERS)) {
    try {
      const answer = await query(server, question, signal)
      if (answer.rcode === RCODE.NOERROR || answer.rcode === RCODE.NXDOMAIN) return answer
    } catch (error) {
      if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error
      failure = error
    }
  }
  throw failure
}

/** The closest cut that the answer shows at or above the zone; null if there is none below the parent. */
function cutIn(answer: DnsAnswer, zone: string, parent: string): { name: string; names: string[] } | null {
  // A server of both zones answers from the lower one, in the answer section.
  const own = targets(answer.answers, zone)
  if (own.length > 0) return { name: zone, names: own }
  const ns = typeCode('NS')
  const name = answer.authorities.find(
    (record) => record.type === ns && isCut(record.name, zone, parent),
  )?.name
  return name === undefined ? null : { name, names: targets(answer.authorities, name) }
}

const isCut = (name: string, zone: string, parent: string): boolean =>
  (name === zone || isBelow(zone, name)) && (parent === '.' ? name !== '.' : isBelow(name, parent))

const targets = (records: ResourceRecord[], owner: string): string[] =>
  dataOf(records, owner, 'NS').slice(0, MAX_NAME_SERVERS)

/** The data of the records of that name and type, canonical. */
function dataOf(records: ResourceRecord[], owner: string, type: 'NS' | 'A' | 'AAAA'): string[] {
  const definition = typeOf(type)
  return records
    .filter((record) => record.name === owner && typeName(record.type) === type)
    .flatMap(({ data }) => definition.fromWire(data) ?? [])
}

/** The addresses of name servers: by the resolvers, or of the given records if these know none. */
export const nameServers = (
  resolve: DelegationTools['resolve'],
  names: readonly string[],
  additionals: ResourceRecord[],
  signal?: AbortSignal,
): Promise<NameServer[]> =>
  Promise.all(
    names.map(async (name) => {
      const glue = [...dataOf(additionals, name, 'A'), ...dataOf(additionals, name, 'AAAA')]
      const found = await Promise.all([
        addressesOf(resolve, name, 'A', signal),
        addressesOf(resolve, name, 'AAAA', signal),
      ])
      const addresses = found.flat()
      return { name, glue, addresses: addresses.length > 0 ? addresses : glue }
    }),
  )

async function addressesOf(
  resolve: DelegationTools['resolve'],
  name: string,
  type: 'A' | 'AAAA',
  signal?: AbortSignal,
): Promise<string[]> {
  try {
    const { answers } = await resolve({ name, type }, signal)
    // The name of a name server must not be an alias (RFC 2181 section 10.3), so CNAMEs are not followed.
    return dataOf(answers, name, type)
  } catch (error) {
    // A resolver waits for servers of a broken zone; glue may still tell the address.
    if (error instanceof OutboundError && error.kind !== 'aborted') return []
    throw error
  }
}
