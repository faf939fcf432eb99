import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Decoration by proxies: brackets and a port, or a port after IPv4. */
const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/
const WITH_PORT = /^([\d.]+):\d{1,5}$/

/** The loopback networks, as TRUST_PROXY can name them. */
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Used if the client's address is unknown because the connection is closed. */
const UNKNOWN = '0.0.0.0'

/**
 * Converts an address as written by proxies and sockets to canonical form: without port, brackets and zone;
 * an IPv4-mapped IPv6 address becomes IPv4. Null for anything else.
 */
export function readAddress(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  const bare = BRACKETED.exec(trimmed)?.[1] ?? WITH_PORT.exec(trimmed)?.[1] ?? trimmed
  if (isIP(bare) === 0) return null
  return ipaddr.process(bare.split('%', 1)[0] as string).toString()
}

/** Returns whether an address is in one of the ranges, each an address or a CIDR. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  const read = ipaddr.process(address)
  return ranges.some((range) => contains(range, read))
}

function contains(range: string, address: Address): boolean {
  const [base, bits] = ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : [ipaddr.process(range), null]
  if (base.kind() !== address.kind()) return false
  return bits === null ? base.toString() === address.toString() : address.match([base, bits])
}

/** Returns Fastify's `trustProxy`: whose X-Forwarded-For is used, however the address is written. */
export function proxyTrust(entries: readonly string[]): (address: string | undefined) => boolean {
  const ranges = entries.flatMap((entry) => (entry === 'loopback' ? LOOPBACK : [entry]))
  return (address) => {
    const read = readAddress(address)
    return read !== null && isWithin(read, ranges)
  }
}

/**
 * Returns the client's address, always a valid one. If a trusted proxy forwards something else, the proxy's
 * own address is used.
 */
export function addressOf(request: FastifyRequest): string {
  // From the socket on to the first that is not a trusted proxy.
  // oxlint-disable-next-line no-restricted-properties -- the one place that reads it
  const chain = request.ips ?? [request.ip]
  for (const hop of chain.toReversed()) {
    const address = readAddress(hop)
    if (address !== null) return address
  }
  return UNKNOWN
}
