import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { checkValue } from '../../../dns/types/index.ts'

export type AddressType = 'A' | 'AAAA'

/** An IPv6 network whose lower bits belong to the hosts. */
export interface Prefix {
  bytes: readonly number[]
  /** Prefix length in bits. */
  length: number
}

/** The addresses hosts get, by family, as stored; a family without addresses is left unchanged. */
export interface Addresses {
  A: readonly string[]
  AAAA: readonly string[]
  prefix: Prefix | null
  /** The hosts lose all addresses, of both families. */
  offline?: true
}

/** Takes hosts offline. */
export const OFFLINE: Addresses = { A: [], AAAA: [], prefix: null, offline: true }

/** Parameters with addresses, by the names that different clients use. */
export interface AddressParameters {
  myip?: string
  ip?: string
  myipv4?: string
  myipv6?: string
  ipv6?: string
  ip6lanprefix?: string
}

/** Maximum addresses in one call. */
const MAX_ADDRESSES = 10

/** Instead of an address: those of the hosts stay (as at deSEC). */
const isPreserve = (text: string): boolean => /^preserve$/i.test(text)

const partsOf = (...given: (string | undefined)[]): string[] =>
  given
    .flatMap((text) => (text ?? '').split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')

/**
 * Reads the addresses of a call: IPv4, IPv6 and at most one IPv6 prefix, in any of the parameters; by default the caller's
 * address. A preserved family has none. Returns null if one is not an address, or one that no host can have.
 */
export function readAddresses(
  { myip, ip, myipv4, myipv6, ipv6, ip6lanprefix }: AddressParameters,
  caller: string,
): Addresses | null {
  const preserved = {
    A: partsOf(myip, ip, myipv4).some(isPreserve),
    // The parameters for both families count for IPv6 only if it has none of its own.
    AAAA: (partsOf(myipv6, ipv6).length > 0 ? partsOf(myipv6, ipv6) : partsOf(myip, ip)).some(isPreserve),
  }
  const named = partsOf(myip, ip, myipv4, myipv6, ipv6, ip6lanprefix).filter((text) => !isPreserve(text))
  if (named.length > MAX_ADDRESSES) return null
  const found = { A: new Set<string>(), AAAA: new Set<string>() }
  let prefix: Prefix | null = null
  for (const text of named.length > 0 ? named : [caller]) {
    if (text.includes('/')) {
      if (prefix !== null) return null
      prefix = readPrefix(text)
      if (prefix === null) return null
    } else {
      const address = readAddress(text)
      if (address === null || isOfNoHost(address.value)) return null
      found[address.type].add(address.value)
    }
  }
  return {
    A: preserved.A ? [] : [...found.A],
    AAAA: preserved.AAAA ? [] : [...found.AAAA],
    prefix: preserved.AAAA ? null : prefix,
  }
}

/** Converts an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), as seen on dual stacks, to IPv4. */
function readAddress(text: string): { type: AddressType; value: string } | null {
  const plain = isIPv6(text) && ipaddr.isValid(text) ? ipaddr.process(text).toString() : text
  const type = plain.includes(':') ? 'AAAA' : 'A'
  const checked = checkValue(type, plain)
  return checked.ok ? { type, value: checked.value } : null
}

/** Ranges no host can have. Loopback is allowed, because clients use it to take hosts offline. */
const OF_NO_HOST = new Set<string>(['unspecified', 'broadcast', 'multicast'])

const isOfNoHost = (address: string): boolean => OF_NO_HOST.has(ipaddr.process(address).range())

function readPrefix(text: string): Prefix | null {
  if (!ipaddr.IPv6.isValidCIDR(text)) return null
  const [network, length] = ipaddr.IPv6.parseCIDR(text)
  return length === 0 || isOfNoHost(network.toString()) ? null : { bytes: network.toByteArray(), length }
}

/** Reads the lower bits of a host as an address whose upper bits are ignored. Null if it is not one. */
export const readSuffix = (text: string): string | null => {
  const address = readAddress(text)
  return address?.type === 'AAAA' ? address.value : null
}

/** Returns the address in the network with the lower bits of another. */
export function inNetwork({ bytes, length }: Prefix, host: string): string {
  const joined = ipaddr.IPv6.parse(host)
    .toByteArray()
    .map((byte, i) => {
      const mask = (0xff00 >> Math.min(Math.max(length - 8 * i, 0), 8)) & 0xff
      return ((bytes[i] ?? 0) & mask) | (byte & ~mask & 0xff)
    })
  const checked = checkValue('AAAA', ipaddr.fromByteArray(joined).toString())
  // Sixteen bytes are always an address.
  return (checked as { value: string }).value
}
