import { isIpv4, isIpv6 } from './ip.ts'

/** An IPv4 address of four decimal numbers without leading zeros, unchanged; null for anything else. */
export function readIpv4(given: string): string | null {
  const text = given.trim()
  return isIpv4(text) ? text : null
}

export const ipv4Bytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

/** The RFC 5952 form of an IPv6 address given in any form of RFC 4291 section 2.2; null for anything else. */
export function readIpv6(given: string): string | null {
  const text = given.trim()
  if (!isIpv6(text)) return null
  // Not ipaddr.js, which reads "::192.0.2.1" as "::ffff:192.0.2.1", a different address.
  const address = withoutDots(text)
  return address.startsWith('::ffff:') ? dotMapped(address) : address
}

/** Without dotted IPv4 parts, which become groups: the URL standard compresses like RFC 5952. */
export const withoutDots = (address: string): string => new URL(`http://[${address}]/`).hostname.slice(1, -1)

/** `::ffff:c000:201` as `::ffff:192.0.2.1` (RFC 5952 section 5); other addresses unchanged. */
function dotMapped(address: string): string {
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address)
  if (groups === null) return address
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16BE(parseInt(groups[1] ?? '', 16), 0)
  bytes.writeUInt16BE(parseInt(groups[2] ?? '', 16), 2)
  return `::ffff:${bytes.join('.')}`
}

/** The 16 bytes of a canonical address. */
export function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = withoutDots(address).split('::')
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** The canonical address of 16 bytes. */
export const ipv6OfBytes = (bytes: Uint8Array): string =>
  readIpv6(
    Buffer.from(bytes)
      .toString('hex')
      .replace(/.{4}(?=.)/g, '$&:'),
  ) ?? '::'
