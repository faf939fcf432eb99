import type { TargetRules } from '../../names/names.ts'
import { defineType, type Field } from '../define.ts'
import type { FieldInfo } from '../definition.ts'
import { ipv4 } from '../fields/addresses.ts'
import { target } from '../fields/names.ts'
import { uint16 } from '../fields/numbers.ts'
import { Unreadable } from '../words.ts'

/* The Identifier-Locator Network Protocol (RFC 6742): where a host is, and who it is. */

const preference = uint16({ title: 'Preference', help: 'The lowest is tried first', example: 10 })

const REASON = 'must be four groups of hexadecimal digits, for example "2001:db8:1:2"'

/** 64 bits in four groups, written like the first half of an IPv6 address (RFC 6742 section 2.1.1). */
function groups(info: Pick<FieldInfo, 'title' | 'help'> & { example: string }): Field<string> {
  const read = (given: unknown): string => {
    const text = typeof given === 'string' ? given.trim().toLowerCase() : ''
    if (!/^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/.test(text)) throw new Unreadable(REASON)
    return text
      .split(':')
      .map((group) => Number.parseInt(group, 16).toString(16))
      .join(':')
  }
  return {
    info: { kind: 'text', ...info },
    read: (words) => read(words.next().raw),
    accept: read,
    show: (value) => value,
    // PowerDNS and BIND write all four digits, and some programs read only these.
    write: (value) =>
      value
        .split(':')
        .map((group) => group.padStart(4, '0'))
        .join(':'),
    toWire(value, out) {
      for (const group of value.split(':')) out.number(Number.parseInt(group, 16), 2)
    },
    fromWire: (input) => Array.from({ length: 4 }, () => input.number(2).toString(16)).join(':'),
  }
}

export const NID = defineType({
  type: 'NID',
  title: 'Node identifier (ILNP)',
  help: 'Who a host is, wherever it is connected.',
  rfc: 'RFC 6742 section 2.1',
  fields: { preference, nodeId: groups({ title: 'Node identifier', example: '14:4fff:ff20:ee64' }) },
})

export const L32 = defineType({
  type: 'L32',
  title: 'IPv4 locator (ILNP)',
  help: 'Where a host is connected, in 32 bits.',
  rfc: 'RFC 6742 section 2.2',
  fields: { preference, locator: ipv4({ title: 'Locator', example: '192.0.2.0' }) },
})

export const L64 = defineType({
  type: 'L64',
  title: 'IPv6 locator (ILNP)',
  help: 'Where a host is connected, in 64 bits.',
  rfc: 'RFC 6742 section 2.3',
  fields: { preference, locator: groups({ title: 'Locator', example: '2001:db8:1140:1000' }) },
})

const SUBNETWORK: TargetRules = { what: 'an LP must name a subnetwork', underscore: true, root: false }

export const LP = defineType({
  type: 'LP',
  title: 'Name of a locator (ILNP)',
  help: 'The name of a subnetwork, whose L32 and L64 records are its locators.',
  rfc: 'RFC 6742 section 2.4',
  fields: {
    preference,
    subnetwork: target(SUBNETWORK, { title: 'Subnetwork', help: 'A full name', example: 'net.example.com' }),
  },
})
