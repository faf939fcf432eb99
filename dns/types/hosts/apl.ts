import { ipv4Bytes, ipv6Bytes, ipv6OfBytes, readIpv4, readIpv6 } from '../../addresses/addresses.ts'
import type { WireReader, WireWriter } from '../../wire/wire.ts'
import { defineType, type Field } from '../define.ts'
import { Unreadable } from '../words.ts'

interface Prefix {
  excluded: boolean
  family: 1 | 2
  bytes: Buffer
  length: number
}

const OCTETS = { 1: 4, 2: 16 } as const
const REASON = 'must be address prefixes, for example "1:192.0.2.0/24 !2:2001:db8::/32"'

function readPrefix(text: string): Prefix {
  const [, mark, family = '', address = '', length = ''] =
    /^(!?)([12]):([^/]+)\/([0-9]{1,3})$/.exec(text) ?? []
  const [v4, v6] = [family === '1' ? readIpv4(address) : null, family === '2' ? readIpv6(address) : null]
  const bytes = v4 !== null ? ipv4Bytes(v4) : v6 !== null ? ipv6Bytes(v6) : null
  if (bytes === null || Number(length) > bytes.length * 8) throw new Unreadable(REASON)
  return { excluded: mark === '!', family: v4 === null ? 2 : 1, bytes, length: Number(length) }
}

/** Without the bits beyond the prefix, which some servers keep and others clear. */
function masked(prefix: Prefix): Prefix {
  const bytes = prefix.bytes.map(
    (byte, at) => byte & (0xff00 >> Math.min(Math.max(prefix.length - at * 8, 0), 8)),
  )
  return { ...prefix, bytes: Buffer.from(bytes) }
}

function showPrefix({ excluded, family, bytes, length }: Prefix): string {
  const address = family === 1 ? bytes.join('.') : ipv6OfBytes(bytes)
  return `${excluded ? '!' : ''}${family}:${address}/${length}`
}

/** RFC 3123 section 4: trailing zeros of an address are not sent. */
function writePrefix({ excluded, family, bytes, length }: Prefix, out: WireWriter): void {
  const sent = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1)
  out.number(family, 2).number(length, 1)
  out.number((excluded ? 0x80 : 0) | sent.length, 1).bytes(sent)
}

function readWirePrefix(input: WireReader): Prefix {
  const [family, length, octet] = [input.number(2), input.number(1), input.number(1)]
  if (family !== 1 && family !== 2) throw new Unreadable(REASON)
  const bytes = Buffer.alloc(OCTETS[family])
  const sent = input.bytes(octet & 0x7f)
  if (sent.length > bytes.length || length > bytes.length * 8) throw new Unreadable(REASON)
  bytes.set(sent)
  return { excluded: octet >= 0x80, family, bytes, length }
}

/** RFC 3123 allows an empty list, which is useless and which some programs can't write. */
function several(items: string[]): string[] {
  if (items.length === 0) throw new Unreadable(REASON)
  return items
}

const prefixes: Field<string[]> = {
  info: {
    kind: 'prefixes',
    title: 'Prefixes',
    help: '1: IPv4, 2: IPv6; "!" excludes a network',
    example: ['1:192.0.2.0/24', '!2:2001:db8::/32'],
  },
  read: (words) => several(words.rest().map(({ raw }) => showPrefix(readPrefix(raw)))),
  accept(given) {
    if (!Array.isArray(given)) throw new Unreadable(REASON)
    return several(given.map((item) => showPrefix(masked(readPrefix(String(item))))))
  },
  show: (items) => items.join(' '),
  toWire(items, out) {
    for (const item of items) writePrefix(readPrefix(item), out)
  },
  fromWire(input) {
    const items: string[] = []
    while (input.left > 0) items.push(showPrefix(readWirePrefix(input)))
    return several(items)
  },
}

export const APL = defineType({
  type: 'APL',
  title: 'Address prefixes',
  help: 'A list of networks.',
  rfc: 'RFC 3123',
  fields: { prefixes },
})
