import { getServers } from 'node:dns'
import { isIP, SocketAddress } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { RCODE } from '../../../dns/wire/message.ts'
import { createGuard } from '../allow.ts'
import { OutboundError } from '../http-exchange.ts'
import { createTcp } from '../tcp.ts'
import { findDelegation, nameServers, type Delegation, type NameServer } from './delegation.ts'
import { Pace } from './pace.ts'
import { query, type DnsAnswer, type DnsQuestion, type DnsServer } from './query.ts'

export type { Delegation, NameServer } from './delegation.ts'
export type { DnsAnswer, DnsQuestion, DnsServer } from './query.ts'

/**
 * Queries to DNS servers: over UDP with EDNS, over TCP after truncation; at most 20 a second to each server from this
 * instance. Rejects only with OutboundError: `timeout`, `unreachable`, `blocked` by the guard, or `aborted`.
 */
export interface Dns {
  /** Asks one server, if the outbound guard allows its address, without recursion. Takes up to 9 s. */
  query: (server: DnsServer, question: DnsQuestion, signal?: AbortSignal) => Promise<DnsAnswer>
  /** Asks the operator's resolvers in order, until one answers with NOERROR or NXDOMAIN; else the last answer. */
  resolve: (question: DnsQuestion, signal?: AbortSignal) => Promise<DnsAnswer>
  /**
   * How the parent delegates this zone (canonical name). Null: it does not. Addresses there are on port
   * `nameServerPort`.
   */
  delegation: (zone: string, signal?: AbortSignal) => Promise<Delegation | null>
  /** The addresses of name servers by their names; those of a delegation are there already. */
  addresses: (names: readonly string[], signal?: AbortSignal) => Promise<NameServer[]>
  /** Where the name servers of a delegation listen; 53. */
  readonly nameServerPort: number
  /** Queries in flight reject with kind `aborted`. */
  close: () => void
}

interface DnsOptions {
  /** Peers that are allowed although not public; see parseAllow for the format. */
  allow: readonly string[]
  /** Addresses with optional ports; none: the system's. */
  resolvers: readonly string[]
  /** Other than 53 only in tests. */
  nameServerPort?: number
}

declare module 'fastify' {
  interface FastifyInstance {
    dns: Dns
  }
}

const PORT = 53

/** Throws for a malformed entry of `allow`. */
export function createDns({ allow, resolvers, nameServerPort = PORT }: DnsOptions): Dns {
  const closing = new AbortController()
  const pace = new Pace()
  const tools = (allowed: readonly string[], isRecursive: boolean) => ({
    guard: createGuard(allowed),
    tcp: createTcp({ allow: allowed }),
    pace,
    closing: closing.signal,
    isRecursive,
  })
  const authoritative = tools(allow, false)
  const servers = (resolvers.length > 0 ? resolvers : getServers()).flatMap(
    (entry) => readServer(entry) ?? [],
  )
  // The operator chose the resolvers, and they are usually private. Nobody else's servers get this guard.
  const recursive = tools(
    servers.map(({ address, port }) => `[${address}]:${port}`.replace(/^\[([\d.]+)\]/, '$1')),
    true,
  )
  const dns: Dns = {
    query: (server, question, signal) => query(authoritative, server, question, signal),
    resolve: (question, signal) =>
      firstAnswer(servers, (server) => query(recursive, server, question, signal)),
    delegation: (zone, signal) => findDelegation({ ...dns, port: nameServerPort }, zone, signal),
    addresses: (names, signal) => nameServers(dns.resolve, names, [], signal),
    nameServerPort,
    close: () => closing.abort(),
  }
  return dns
}

/**
 * Reads an IP address with an optional port; an IPv6 address with a port is in brackets. Null: it is something else, or
 * has a zone id, for which the guard has no rule.
 */
export function readServer(entry: string): DnsServer | null {
  const parsed = SocketAddress.parse(isIP(entry) === 6 ? `[${entry}]` : entry)
  // It also reads "127.1" as an address.
  if (parsed === undefined || !entry.includes(parsed.address)) return null
  return { address: parsed.address, port: parsed.port || PORT }
}

async function firstAnswer(
  servers: DnsServer[],
  ask: (server: DnsServer) => Promise<DnsAnswer>,
): Promise<DnsAnswer> {
  let answer: DnsAnswer | undefined
  let failure = new OutboundError('unreachable', 'There is no resolver', false)
  for (const server of servers) {
    try {
      answer = await ask(server)
      if (answer.rcode === RCODE.NOERROR || answer.rcode === RCODE.NXDOMAIN) return answer
    } catch (error) {
      if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error
      failure = error
    }
  }
  if (answer !== undefined) return answer
  throw failure
}

/** Decorates `app.dns`. */
export default fp(
  (app: FastifyInstance, options: DnsOptions, done) => {
    const dns = createDns(options)
    app.decorate('dns', dns)
    app.addHook('onClose', async () => dns.close())
    done()
  },
  { name: 'dns' },
)
