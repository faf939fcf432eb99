import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { checkValue } from '../../../dns/types/index.ts'

export type AddressType = 'A' | 'AAAA'

/** A network of IPv6, of which hosts have the lower bits for themselves. */
export interface Prefix {
  bytes: readonly number[]
  /** In bits. */
  length: number
}

/** What hosts get: all of a family, as stored; none leaves what a host has of it. */
export interface Addresses {
  A: readonly string[]
  AAAA: readonly string[]
  prefix: Prefix | null
}

/** Addresses of one call. */
const MAX_ADDRESSES = 10

/**
 * The addresses that a call names, IPv4, IPv6 and at most one prefix of IPv6, in any order; that of the caller where
 * there is nothing. Null when one of them is none, or one that no host can have.
 */
export function readAddresses(given: readonly string[], caller: string): Addresses | null {
  const named = given.map((text) => text.trim()).filter((text) => text !== '')
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
  return { A: [...found.A], AAAA: [...found.AAAA], prefix }
}

/** An IPv4 address as IPv6 (RFC 4291 section 2.5.5.2), as dual stacks show callers, is the IPv4 address. */
function readAddress(text: string): { type: AddressType; value: string } | null {
  const plain = isIPv6(text) && ipaddr.isValid(text) ? ipaddr.process(text).toString() : text
  const type = plain.includes(':') ? 'AAAA' : 'A'
  const checked = checkValue(type, plain)
  return checked.ok ? { type, value: checked.value } : null
}

/** What no host can have as its own. Loopback is allowed: it is how hosts are taken offline. */
const OF_NO_HOST = new Set<string>(['unspecified', 'broadcast', 'multicast'])

const isOfNoHost = (address: string): boolean => OF_NO_HOST.has(ipaddr.process(address).range())

function readPrefix(text: string): Prefix | null {
  if (!ipaddr.IPv6.isValidCIDR(text)) return null
  const [network, length] = ipaddr.IPv6.parseCIDR(text)
  return length === 0 || isOfNoHost(network.toString()) ? null : { bytes: network.toByteArray(), length }
}

/** The lower bits of a host, as an address whose upper bits don't count. Null when it is none. */
export const readSuffix = (text: string): string | null => {
  const address = readAddress(text)
  return address?.type === 'AAAA' ? address.value : null
}

/** The address in the network with the lower bits of another. */
export function inNetwork({ bytes, length }: Prefix, host: string): string {
  const joined = ipaddr.IPv6.parse(host)
    .toByteArray()
    .map((byte, i) => {
      const mask = (0xff00 >> Math.min(Math.max(length - 8 * i, 0), 8)) & 0xff
      return ((bytes[i] ?? 0) & mask) | (byte & ~mask & 0xff)
    })
  const checked = checkValue('AAAA', ipaddr.fromByteArray(joined).toString())
  // Sixteen bytes always are an address.
  return (checked as { value: string }).value
}
