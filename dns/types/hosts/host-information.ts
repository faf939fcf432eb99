import { toMailboxName } from '../../names/mailbox.ts'
import { readName } from '../../wire/wire-name.ts'
import { defineType } from '../define.ts'
import { altitude, coordinate, precision } from '../fields/location.ts'
import { nameField } from '../fields/names.ts'
import { text } from '../fields/texts.ts'
import { Unreadable } from '../words.ts'

export const HINFO = defineType({
  type: 'HINFO',
  title: 'Host information',
  help: 'The kind of host; rarely used except in answers to ANY (RFC 8482).',
  rfc: 'RFC 1035 section 3.3.2',
  fields: {
    cpu: text({ title: 'Processor', example: 'PC' }),
    os: text({ title: 'System', example: 'Linux' }),
  },
})

function anyName(given: string): string {
  const name = readName(given.trim())
  if (name === null) throw new Unreadable('must be a full name, or "."')
  return name
}

function mailboxName(given: string): string {
  if (!given.includes('@')) return anyName(given)
  const name = toMailboxName(given)
  if (!name.ok) throw new Unreadable(`is not valid: ${name.reason}`)
  return name.name
}

export const RP = defineType({
  type: 'RP',
  title: 'Responsible person',
  help: 'The person responsible for this name.',
  rfc: 'RFC 1183 section 2.2',
  fields: {
    mailbox: nameField(
      {
        title: 'Mailbox',
        help: 'An email address, or as a name with a dot for the "@"',
        example: 'admin.example.com',
      },
      mailboxName,
    ),
    text: nameField(
      {
        title: 'Name of a TXT record',
        help: 'Where to find details; "." for none',
        example: 'contact.example.com',
      },
      anyName,
    ),
  },
})

const locationFields = {
  latitude: coordinate({ title: 'Latitude', example: '52 22 23.000 N' }, ['N', 'S'], 90),
  longitude: coordinate({ title: 'Longitude', example: '4 53 32.000 E' }, ['E', 'W'], 180),
  altitude: altitude({ title: 'Altitude', help: 'Meters above the reference spheroid', example: -2 }),
  size: precision({ title: 'Size', help: 'Meters, with one significant digit', example: 1 }, 1),
  horizontalPrecision: precision({ title: 'Horizontal precision', help: 'Metres', example: 10_000 }, 10_000),
  verticalPrecision: precision({ title: 'Vertical precision', help: 'Metres', example: 10 }, 10),
}

// RFC 1876 section 2; the wire order differs from that of the text.
const VERSION = 0

export const LOC = defineType({
  type: 'LOC',
  title: 'Geographic location',
  help: 'The geographic location of this name.',
  rfc: 'RFC 1876',
  fields: locationFields,
  wire: {
    write(data, out) {
      out.number(VERSION, 1)
      locationFields.size.toWire(data.size, out)
      locationFields.horizontalPrecision.toWire(data.horizontalPrecision, out)
      locationFields.verticalPrecision.toWire(data.verticalPrecision, out)
      locationFields.latitude.toWire(data.latitude, out)
      locationFields.longitude.toWire(data.longitude, out)
      locationFields.altitude.toWire(data.altitude, out)
    },
    read(input) {
      if (input.number(1) !== VERSION) throw new Unreadable('has an unsupported version')
      const size = locationFields.size.fromWire(input)
      const horizontalPrecision = locationFields.horizontalPrecision.fromWire(input)
      const verticalPrecision = locationFields.verticalPrecision.fromWire(input)
      const latitude = locationFields.latitude.fromWire(input)
      const longitude = locationFields.longitude.fromWire(input)
      return {
        latitude,
        longitude,
        altitude: locationFields.altitude.fromWire(input),
        size,
        horizontalPrecision,
        verticalPrecision,
      }
    },
  },
})
