import { isIpAddress, isIpv4 } from '../addresses/ip.ts'
import { readIpv6 } from '../addresses/addresses.ts'
import { shown } from '../text/messages.ts'
import { defineType } from './define.ts'
import { ipv6 } from './fields/addresses.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

/** An IPv6 address in any form of RFC 4291 section 2.2; canonical as in RFC 5952. */
function check(value: string): ValueCheck {
  const address = readIpv6(value)
  if (address !== null) return accepted(address)
  return refused('ipv6_address', `${shown(value)} is ${whyNot(value.trim())}, for example "2001:db8::1"`)
}

function whyNot(text: string): string {
  if (isIpv4(text)) return 'an IPv4 address (use type A); AAAA needs an IPv6 address'
  if (isIpAddress(text))
    return 'an address with a zone id, which is only meaningful on one machine; leave it out'
  return 'not an IPv6 address'
}

export const AAAA = defineType({
  type: 'AAAA',
  title: 'IPv6 address',
  help: 'The address of a host; several are returned in rotation.',
  rfc: 'RFC 3596 section 2.2',
  fields: { address: ipv6({ title: 'Address', example: '2001:db8::1' }) },
  check,
})
