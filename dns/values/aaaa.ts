import { isIPv4, isIPv6 } from 'node:net'
import { shown } from '../messages.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

/** An IPv6 address in any form of RFC 4291 section 2.2; canonical as RFC 5952 has it. */
export function checkAaaa(value: string): ValueCheck {
  const address = readAaaa(value)
  if (address !== null) return accepted(address)
  return refused('ipv6_address', `${shown(value)} is ${whyNot(value.trim())}, for example "2001:db8::1"`)
}

function whyNot(text: string): string {
  if (isIPv4(text)) return 'an IPv4 address (use type A); AAAA needs an IPv6 address'
  if (isIPv6(text)) return 'an address with a zone id, which has a meaning on one machine only; leave it off'
  return 'not an IPv6 address'
}

/** The canonical address of a provider's AAAA record, or null. */
export function readAaaa(rdata: string): string | null {
  const text = rdata.trim()
  if (!isIPv6(text) || text.includes('%')) return null
  // The URL standard compresses as RFC 5952 section 4 does. Not ipaddr.js: it takes "::192.0.2.1" for
  // "::ffff:192.0.2.1", another address.
  const address = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  return address.startsWith('::ffff:') ? dotMapped(address) : address
}

/** Master-file data of a canonical address. PowerDNS 4.7 takes no IPv4-mapped address with dots. */
export const writeAaaa = (canonical: string): string =>
  new URL(`http://[${canonical}]/`).hostname.slice(1, -1)

/** `::ffff:c000:201` as `::ffff:192.0.2.1` (RFC 5952 section 5); other addresses as they are. */
function dotMapped(address: string): string {
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address)
  if (groups === null) return address
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16BE(parseInt(groups[1] ?? '', 16), 0)
  bytes.writeUInt16BE(parseInt(groups[2] ?? '', 16), 2)
  return `::ffff:${bytes.join('.')}`
}
