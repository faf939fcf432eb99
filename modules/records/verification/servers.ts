import { LRUCache } from 'lru-cache'
import { readServer, type Dns, type DnsServer } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http.ts'

/** An address of a name server. */
export interface VerifiedServer extends DnsServer {
  /** Its name, or the address. */
  server: string
}

/** What decides which servers are asked about a domain. */
export interface ServedDomain {
  name: string
  /** Of its provider connection; these are asked instead of all others. */
  verifyServers: readonly string[]
  /** Names that the zone and its provider connection tell, for zones without a known delegation. */
  namedServers: readonly string[]
}

const MAX_SERVERS = 26
const KEPT_MS = 60_000
const MAX_KEPT = 1_000

/** Finds the name servers of zones; what it found counts for a minute. */
export class NameServers {
  readonly #dns: Dns
  readonly #kept = new LRUCache<string, VerifiedServer[]>({ max: MAX_KEPT, ttl: KEPT_MS })

  constructor(dns: Dns) {
    this.#dns = dns
  }

  /** Empty: none is known, or no resolver answers. Rejects when aborted. */
  async of(
    { name, verifyServers, namedServers }: ServedDomain,
    signal: AbortSignal,
  ): Promise<VerifiedServer[]> {
    if (verifyServers.length > 0) {
      return verifyServers
        .flatMap((entry) => readServer(entry) ?? [])
        .map((server) => ({ ...server, server: server.address }))
    }
    const kept = this.#kept.get(name)
    if (kept) return kept
    const delegated = await this.#delegated(name, signal)
    const found = delegated.length > 0 ? delegated : await this.#addressesOf(namedServers, signal)
    const servers = found.slice(0, MAX_SERVERS)
    if (servers.length > 0) this.#kept.set(name, servers)
    return servers
  }

  async #delegated(zone: string, signal: AbortSignal): Promise<VerifiedServer[]> {
    try {
      const delegation = await this.#dns.delegation(zone, signal)
      return (delegation?.servers ?? []).flatMap(({ name, addresses }) => this.#at(name, addresses))
    } catch (error) {
      return unlessUnanswered(error)
    }
  }

  async #addressesOf(names: readonly string[], signal: AbortSignal): Promise<VerifiedServer[]> {
    try {
      const found = await this.#dns.addresses([...new Set(names)], signal)
      return found.flatMap(({ name, addresses }) => this.#at(name, addresses))
    } catch (error) {
      return unlessUnanswered(error)
    }
  }

  #at(server: string, addresses: readonly string[]): VerifiedServer[] {
    return addresses.map((address) => ({ server, address, port: this.#dns.nameServerPort }))
  }
}

function unlessUnanswered(error: unknown): [] {
  if (error instanceof OutboundError && error.kind !== 'aborted') return []
  throw error
}
