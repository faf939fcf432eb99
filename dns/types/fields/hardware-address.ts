import type { TypeWarning } from '../definition.ts'
import type { Field } from '../define.ts'
import { Unreadable } from '../words.ts'

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

/** RFC 7043 section 8. */
export const warnOfPublic = (): TypeWarning[] => [
  {
    code: 'hardware_address_public',
    message: 'This publishes a hardware address to everyone who queries the name (RFC 7043, 8)',
  },
]
