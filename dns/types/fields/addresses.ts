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
