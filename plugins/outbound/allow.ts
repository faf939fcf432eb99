import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** One entry of OUTBOUND_ALLOW: addresses or a host name, on one port or (null) on all. */
type AllowRule =
  | { kind: 'addresses'; range: Range; port: number | null }
  | { kind: 'host'; host: string; port: number | null }

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Parses one entry of OUTBOUND_ALLOW: a CIDR, an address or a host name, each with an optional `:port` (with
 * a port, an IPv6 address or CIDR is in brackets). Throws an Error that states the problem.
 */
export function parseAllow(entry: string): AllowRule {
  const { target, port } = splitPort(entry)
  if (target.includes('/') || isIP(target) !== 0) {
    return { kind: 'addresses', range: parseRange(entry, target), port }
  }
  const host = target.toLowerCase().replace(/\.$/, '')
  if (!HOST_NAME.test(host)) {
    throw malformed(entry, 'is not an address, a CIDR or a host name')
  }
  // "10.1" and "0x7f.1" look like host names but are addresses in a URL, so they are ambiguous.
  if (/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)) throw malformed(entry, 'is not a complete address')
  return { kind: 'host', host, port }
}

function splitPort(entry: string): { target: string; port: number | null } {
  if (entry.includes('://')) throw malformed(entry, 'is a URL; give only its host, or host:port')
  const match = /^\[([^[\]]*)\](?::(\d+))?$/.exec(entry) ?? /^([^:[\]]*)(?::(\d+))?$/.exec(entry)
  // What is left is a bare IPv6 address or CIDR, to which all colons belong.
  if (match === null) return { target: entry, port: null }
  const [, target = '', digits] = match
  if (entry.startsWith('[') && !target.includes(':'))
    throw malformed(entry, 'has no IPv6 address in brackets')
  if (digits === undefined) return { target, port: null }
  const port = Number(digits)
  if (port < 1 || port > 65_535) throw malformed(entry, 'has a port that is not 1 to 65535')
  return { target, port }
}

function parseRange(entry: string, target: string): Range {
  const [address = '', prefix, ...rest] = target.split('/')
  // ipaddr.js also accepts "10.1", octal and hexadecimal; net.isIP accepts only the usual forms.
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) {
    throw malformed(entry, 'does not have a valid address')
  }
  const parsed = ipaddr.parse(address)
  const bits = parsed.kind() === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(length <= bits)) throw malformed(entry, `has a prefix length that is not 0 to ${bits}`)
  if (!isMapped(parsed)) return [parsed, length]
  if (length < 96) throw malformed(entry, 'exceeds the range of IPv4-mapped addresses')
  return [parsed.toIPv4Address(), length - 96]
}

const malformed = (entry: string, problem: string) => new Error(`"${entry.slice(0, 100)}" ${problem}`)

const isMapped = (address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 =>
  address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()

/** Which peers outbound calls may reach: public addresses, and those the operator listed. */
export interface OutboundGuard {
  /** The name itself is listed, so it may resolve to any address. */
  allowsHost(host: string, port: number): boolean
  /** The address is public or listed. */
  allowsAddress(address: string, port: number): boolean
  /** An entry lists exactly this host or address with this port. */
  names(host: string, port: number): boolean
}

/** Returns the guard for entries of OUTBOUND_ALLOW. Throws for a malformed one. */
export function createGuard(allow: readonly string[]): OutboundGuard {
  const rules = allow.map(parseAllow)
  const onPort = (rule: AllowRule, port: number) => rule.port === null || rule.port === port
  return {
    allowsHost(host, port) {
      const name = host.toLowerCase().replace(/\.$/, '')
      return rules.some((rule) => rule.kind === 'host' && rule.host === name && onPort(rule, port))
    },
    allowsAddress(address, port) {
      const parsed = ipaddr.process(address)
      const listed = (rule: AllowRule) =>
        rule.kind === 'addresses' && onPort(rule, port) && isWithin(parsed, rule.range)
      return isPublic(parsed) || rules.some(listed)
    },
    names(host, port) {
      const name = host.toLowerCase().replace(/\.$/, '')
      return rules.some((rule) => {
        if (rule.port !== port) return false
        if (rule.kind === 'host') return rule.host === name
        return isIP(name) !== 0 && isWithin(ipaddr.process(name), rule.range)
      })
    },
  }
}

const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, length]: Range): boolean =>
  address.kind() === network.kind() && address.match(network, length)

// ipaddr.js calls every address it doesn't know "unicast", including ::127.0.0.1 and unassigned ranges.
const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST_IPV6))
