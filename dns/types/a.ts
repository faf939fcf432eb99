import { readIpv4 } from '../addresses/addresses.ts'
import { shown } from '../text/messages.ts'
import { defineType } from './define.ts'
import { ipv4 } from './fields/addresses.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

/**
 * An IPv4 address of four decimal numbers. Short and octal-looking forms (`127.1`, `010.0.0.1`) are rejected,
 * because programs disagree on their meaning.
 */
function check(value: string): ValueCheck {
  const address = readIpv4(value)
  if (address !== null) return accepted(address)
  const form = 'use four numbers 0-255 without leading zeros, for example "192.0.2.1"'
  return refused('ipv4_address', `${shown(value)} is not an IPv4 address: ${form}`)
}

export const A = defineType({
  type: 'A',
  title: 'IPv4 address',
  help: 'The address of a host; several are returned in rotation.',
  rfc: 'RFC 1035 section 3.4.1',
  fields: { address: ipv4({ title: 'Address', example: '192.0.2.1' }) },
  check,
})
