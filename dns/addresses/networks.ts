import { ipv4Bytes, ipv6Bytes, ipv6OfBytes, readIpv4, readIpv6 } from './addresses.ts'

/** A network of IPv4 or IPv6 addresses (RFC 4632, RFC 4291 section 2.3). */
export interface Network {
  type: 'A' | 'AAAA'
  /** First address; bits beyond the prefix are 0. */
  base: Buffer
  prefix: number
}

/**
 * Parses `192.0.2.0/24` or `2001:db8::/32`; null for anything else, and if bits beyond the prefix are set.
 */
export function readNetwork(text: string): Network | null {
  const [address = '', length, ...more] = text.trim().split('/')
  if (length === undefined || more.length > 0 || !/^\d{1,3}$/.test(length)) return null
  const network = networkOf(address, Number(length))
  return network && hostBits(network.base, network.prefix).every((byte) => byte === 0) ? network : null
}

function networkOf(address: string, prefix: number): Network | null {
  const four = readIpv4(address)
  if (four !== null) return prefix <= 32 ? { type: 'A', base: ipv4Bytes(four), prefix } : null
  const six = readIpv6(address)
  return six !== null && prefix <= 128 ? { type: 'AAAA', base: ipv6Bytes(six), prefix } : null
}

/** The network of a single address; null if the text is not an address. */
export const networkOfAddress = (address: string): Network | null =>
  networkOf(address, readIpv4(address) === null ? 128 : 32)

/** Address length in bits. */
export const lengthOf = ({ type }: Pick<Network, 'type'>): number => (type === 'A' ? 32 : 128)

/**
 * An address, or a network whose address may have bits set beyond its prefix, as SPF allows; null for
 * anything else.
 */
export function networkInText(text: string): Network | null {
  const [address = '', length, ...more] = text.split('/')
  if (length === undefined) return networkOfAddress(address)
  if (more.length > 0 || !/^\d{1,3}$/.test(length)) return null
  const network = networkOf(address, Number(length))
  return network && { ...network, base: networkBits(network.base, network.prefix) }
}

/** Whether all addresses of `inner` are in `outer`. */
export const holds = (outer: Network, inner: Network): boolean =>
  outer.type === inner.type &&
  outer.prefix <= inner.prefix &&
  networkBits(inner.base, outer.prefix).equals(networkBits(outer.base, outer.prefix))

/** First address, with the prefix length if requested. */
export const textOfNetwork = ({ type, base, prefix }: Network, hasLength: boolean): string =>
  hasLength ? `${addressOf(type, base)}/${prefix}` : addressOf(type, base)

/** The same bytes with the bits beyond the prefix cleared. */
const networkBits = (bytes: Buffer, prefix: number): Buffer =>
  Buffer.from(bytes.map((byte, i) => byte & ~(0xff >> Math.min(8, Math.max(0, prefix - i * 8)))))

/** The same bytes with the prefix bits cleared. */
function hostBits(bytes: Buffer, prefix: number): Buffer {
  return Buffer.from(
    bytes.map((byte, i) => {
      const networkBits = Math.min(8, Math.max(0, prefix - i * 8))
      return byte & (0xff >> networkBits)
    }),
  )
}

/**
 * The address at the same position in another network of the same size. `address` is canonical and of the
 * same type.
 */
export function moveAddress(address: string, to: Network): string {
  const bytes = to.type === 'A' ? ipv4Bytes(address) : ipv6Bytes(address)
  const host = hostBits(bytes, to.prefix)
  const moved = Buffer.from(to.base.map((byte, i) => byte | (host[i] as number)))
  return addressOf(to.type, moved)
}

const addressOf = (type: Network['type'], bytes: Buffer): string =>
  type === 'A' ? bytes.join('.') : ipv6OfBytes(bytes)

/** First and last address. */
export function boundsOf({ type, base, prefix }: Network): [first: string, last: string] {
  const last = Buffer.from(base.map((byte, i) => byte | (0xff >> Math.min(8, Math.max(0, prefix - i * 8)))))
  return [addressOf(type, base), addressOf(type, last)]
}
