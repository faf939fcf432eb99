import { isIpAddress, isIpv4 } from '../../addresses/ip.ts'
import { readIpv4, readIpv6 } from '../../addresses/addresses.ts'
import { shown } from '../../text/messages.ts'
import { defineType } from '../define.ts'
import { hardwareAddress, ipv4, ipv6 } from '../fields/addresses.ts'
import { accepted, refused } from '../values.ts'

const HELP = 'The address of a host; several are returned in rotation.'

export const A = defineType({
  type: 'A',
  title: 'IPv4 address',
  help: HELP,
  rfc: 'RFC 1035 section 3.4.1',
  fields: { address: ipv4({ title: 'Address', example: '192.0.2.1' }) },
  // Short and octal-looking forms (`127.1`, `010.0.0.1`) are rejected: programs disagree on their meaning.
  check(value) {
    const address = readIpv4(value)
    if (address !== null) return accepted(address)
    const form = 'use four numbers 0-255 without leading zeros, for example "192.0.2.1"'
    return refused('ipv4_address', `${shown(value)} is not an IPv4 address: ${form}`)
  },
})

export const AAAA = defineType({
  type: 'AAAA',
  title: 'IPv6 address',
  help: HELP,
  rfc: 'RFC 3596 section 2.2',
  fields: { address: ipv6({ title: 'Address', example: '2001:db8::1' }) },
  // In any form of RFC 4291 section 2.2; canonical as in RFC 5952.
  check(value) {
    const address = readIpv6(value)
    if (address !== null) return accepted(address)
    return refused(
      'ipv6_address',
      `${shown(value)} is ${whyNotIpv6(value.trim())}, for example "2001:db8::1"`,
    )
  },
})

function whyNotIpv6(text: string): string {
  if (isIpv4(text)) return 'an IPv4 address (use type A); AAAA needs an IPv6 address'
  if (isIpAddress(text))
    return 'an address with a zone id, which is only meaningful on one machine; leave it out'
  return 'not an IPv6 address'
}

const hardwareAddressType = (octets: number, rfc: string, example: string) =>
  defineType({
    type: `EUI${octets * 8}`,
    title: `${octets * 8}-bit hardware address`,
    help: 'Address of a network interface; not for the public DNS (RFC 7043, section 8).',
    rfc,
    fields: { address: hardwareAddress(octets, example) },
    warn: () => [
      {
        code: 'hardware_address_public',
        message: 'This publishes a hardware address to everyone who queries the name (RFC 7043, 8)',
      },
    ],
  })

export const EUI48 = hardwareAddressType(6, 'RFC 7043 section 3', '00-00-5e-00-53-2a')
export const EUI64 = hardwareAddressType(8, 'RFC 7043 section 4', '00-00-5e-ef-10-00-00-2a')
