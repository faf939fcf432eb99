import {
  ipv4Bytes,
  ipv6Bytes,
  ipv6OfBytes,
  readIpv4,
  readIpv6,
  withoutDots,
} from '../../addresses/addresses.ts'
import type { Field } from '../define.ts'
import type { FieldInfo } from '../definition.ts'
import { Unreadable } from '../words.ts'

type AddressInfo = Pick<FieldInfo, 'title' | 'help'> & { example: string }

function reader(read: (text: string) => string | null, reason: string) {
  return (given: unknown): string => {
    const address = typeof given === 'string' ? read(given) : null
    if (address === null) throw new Unreadable(reason)
    return address
  }
}

export function ipv4(info: AddressInfo): Field<string> {
  const read = reader(readIpv4, 'must be an IPv4 address, for example "192.0.2.1"')
  return {
    info: { kind: 'ipv4', ...info },
    read: (words) => read(words.next().raw),
    accept: read,
    show: (address) => address,
    toWire: (address, out) => out.bytes(ipv4Bytes(address)),
    fromWire: (input) => input.bytes(4).join('.'),
  }
}

export function ipv6(info: AddressInfo): Field<string> {
  const read = reader(readIpv6, 'must be an IPv6 address, for example "2001:db8::1"')
  return {
    info: { kind: 'ipv6', ...info },
    read: (words) => read(words.next().raw),
    accept: read,
    show: (address) => address,
    // PowerDNS 4.7 rejects IPv4-mapped addresses with dots.
    write: withoutDots,
    toWire: (address, out) => out.bytes(ipv6Bytes(address)),
    fromWire: (input) => ipv6OfBytes(input.bytes(16)),
  }
}

/** An address of `octets` bytes, `00-00-5e-00-53-2a`; colons are accepted too. */
export function hardwareAddress(octets: number, example: string): Field<string> {
  const form = new RegExp(`^[0-9a-f]{2}(?:[-:][0-9a-f]{2}){${octets - 1}}$`)
  const read = (given: unknown) => {
    const text = typeof given === 'string' ? given.trim().toLowerCase() : ''
    if (!form.test(text)) throw new Unreadable(`must be ${octets} bytes, for example "${example}"`)
    return text.replaceAll(':', '-')
  }
  return {
    info: { kind: 'text', title: 'Address', example },
    read: (words) => read(words.next().raw),
    accept: read,
    show: (address) => address,
    toWire: (address, out) => out.bytes(Buffer.from(address.replaceAll('-', ''), 'hex')),
    fromWire: (input) =>
      Array.from(input.bytes(octets), (byte) => byte.toString(16).padStart(2, '0')).join('-'),
  }
}
