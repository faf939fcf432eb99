import { ipv4Bytes, ipv6Bytes, ipv6OfBytes, readIpv4, readIpv6 } from '../../addresses/addresses.ts'
import { readNumber } from '../numbers.ts'
import { quoteBytes, unescapeBytes } from '../../text/strings.ts'
import { bytesOfText, textOfBytes } from '../../text/text.ts'
import type { DataValue } from '../values.ts'
import { WireReader, WireWriter } from '../../wire/wire.ts'
import { Unreadable } from '../words.ts'
import { readBase64 } from './binary.ts'

/** One parameter of SVCB and HTTPS (RFC 9460 section 2.1): its value as data, as the text after the "=", and on the wire. */
export interface Parameter {
  key: number
  /** `text` is null without "=". */
  read(text: Buffer | null): DataValue
  accept(given: unknown): DataValue
  /** Null for a parameter without value. */
  show(value: DataValue): string | null
  toWire(value: DataValue): Buffer
  fromWire(input: WireReader): DataValue
}

/** The number of a key by its name, or as `key65400`; null if it isn't a key (RFC 9460 section 14.3.2). */
export function keyNumber(name: string): number | null {
  const known = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name]?.key : undefined
  if (known !== undefined) return known
  const [, digits] = /^key(0|[1-9][0-9]{0,4})$/.exec(name) ?? []
  const number = readNumber(digits ?? '', 65_535)
  return number === 65_535 ? null : number
}

/** The display name of a key. */
export const keyName = (key: number): string => NAMES.get(key) ?? `key${key}`

export const parameterOf = (name: string): Parameter =>
  (Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined) ?? unknownParameter(keyNumber(name) ?? 0)

/**
 * Items separated by commas; commas and backslashes in an item are escaped with a backslash (RFC 9460
 * appendix A.1).
 */
function splitList(text: Buffer | null): Buffer[] {
  const bytes = text ?? Buffer.of()
  const items: number[][] = [[]]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === 0x5c && at + 1 < bytes.length) items.at(-1)?.push(bytes[++at] ?? 0)
    else if (byte === 0x2c) items.push([])
    else items.at(-1)?.push(byte)
  }
  if (items.some((item) => item.length === 0)) throw new Unreadable('must not have an empty item in a list')
  return items.map((item) => Buffer.from(item))
}

/** A list of words; `read` returns the canonical form of one, or throws Unreadable. */
function list<T extends string | number>(
  key: number,
  read: (item: Buffer) => T,
  write: (item: T, out: WireWriter) => void,
  next: (input: WireReader) => T,
  { show = String as (item: T) => string, order = (items: T[]) => items } = {},
): Parameter {
  return {
    key,
    read: (text) => order(splitList(text).map(read)),
    accept(given) {
      if (!Array.isArray(given) || given.length === 0)
        throw new Unreadable('must have a list for each parameter that takes several values')
      return order(given.map((item) => read(bytesOfText(String(item)))))
    },
    show: (items) => (items as T[]).map(show).join(','),
    toWire(items) {
      const out = new WireWriter()
      for (const item of items as T[]) write(item, out)
      return out.finish()
    },
    fromWire(input) {
      const items: T[] = []
      while (input.left > 0) items.push(next(input))
      if (items.length === 0) throw new Unreadable('must not have an empty list')
      return order(items)
    },
  }
}

function canonicalKey(name: string): string {
  const key = keyNumber(name.toLowerCase())
  if (key === null) throw new Unreadable(`must have valid parameters, not "${name.slice(0, 40)}"`)
  return keyName(key)
}

const byKey = (names: string[]) => names.toSorted((a, b) => (keyNumber(a) ?? 0) - (keyNumber(b) ?? 0))

function addressList(
  key: number,
  read: (text: string) => string | null,
  toBytes: (address: string) => Buffer,
): Parameter {
  return list<string>(
    key,
    (item) => {
      const address = read(item.toString())
      if (address === null)
        throw new Unreadable(`must have valid addresses, not "${item.toString().slice(0, 60)}"`)
      return address
    },
    (address, out) => out.bytes(toBytes(address)),
    (input) => (key === 4 ? input.bytes(4).join('.') : ipv6OfBytes(input.bytes(16))),
  )
}

function readUint16(item: Buffer): number {
  const number = readNumber(item.toString(), 65_535)
  if (number === null)
    throw new Unreadable(`must have numbers from 0 to 65535, not "${item.toString().slice(0, 40)}"`)
  return number
}

/** A parameter that is either present or absent. */
const mark = (key: number): Parameter => ({
  key,
  read(text) {
    if (text !== null && text.length > 0)
      throw new Unreadable('must not have a value for a parameter that takes none')
    return true
  },
  accept(given) {
    if (given !== true) throw new Unreadable('must have true for a parameter that takes no value')
    return true
  },
  show: () => null,
  toWire: () => Buffer.of(),
  fromWire: () => true,
})

/** Opaque bytes. */
const unknownParameter = (key: number): Parameter => ({
  key,
  read: (text) => (text === null || text.length === 0 ? true : textOfBytes(text)),
  accept(given) {
    if (given === true) return true
    if (typeof given !== 'string' || given === '')
      throw new Unreadable('must have text for each unknown parameter')
    return textOfBytes(bytesOfText(given))
  },
  show: (value) => (typeof value === 'string' ? bytesOfText(value).toString('latin1') : null),
  toWire: (value) => (typeof value === 'string' ? bytesOfText(value) : Buffer.of()),
  fromWire: (input) => (input.left === 0 ? true : textOfBytes(input.rest())),
})

const port: Parameter = {
  key: 3,
  read: (text) => readUint16(text ?? Buffer.of()),
  accept: (given) => readUint16(Buffer.from(typeof given === 'number' ? String(given) : '')),
  show: String,
  toWire: (value) => new WireWriter().number(Number(value), 2).finish(),
  fromWire: (input) => input.number(2),
}

const ech: Parameter = {
  key: 5,
  read: (text) => readEch(text?.toString() ?? ''),
  accept: (given) => readEch(String(given)),
  show: String,
  toWire: (value) => Buffer.from(value as string, 'base64'),
  fromWire: (input) => Buffer.from(input.rest()).toString('base64'),
}

function readEch(text: string): string {
  const bytes = readBase64(text)
  if (bytes === null) throw new Unreadable('must have "ech" in base64')
  return bytes.toString('base64')
}

/** The IANA registry in numerical order; RFC 9460, 9461 (dohpath), 9540 (ohttp). */
const PARAMETERS: Record<string, Parameter> = {
  mandatory: list<string>(
    0,
    (item) => canonicalKey(item.toString()),
    (name, out) => out.number(keyNumber(name) ?? 0, 2),
    (input) => keyName(input.number(2)),
    { order: byKey },
  ),
  alpn: list<string>(
    1,
    (item) => {
      if (item.length > 255) throw new Unreadable('must not have a protocol of more than 255 bytes')
      return textOfBytes(item)
    },
    (protocol, out) => out.string(bytesOfText(protocol)),
    (input) => textOfBytes(input.string()),
    { show: (protocol) => bytesOfText(protocol).toString('latin1').replace(/[,\\]/g, '\\$&') },
  ),
  'no-default-alpn': mark(2),
  port,
  ipv4hint: addressList(4, readIpv4, ipv4Bytes),
  ech,
  ipv6hint: addressList(6, readIpv6, ipv6Bytes),
  dohpath: unknownParameter(7),
  ohttp: mark(8),
  'tls-supported-groups': list<number>(
    9,
    readUint16,
    (group, out) => out.number(group, 2),
    (input) => input.number(2),
  ),
}

// Values with other characters are quoted for master files.
const BARE = /^[!#-'*-:<-[\]-~]+$/

/** `key=value` in ASCII; only the key if it has no value. */
export function showParameter(name: string, text: string | null): string {
  if (text === null) return name
  return `${name}=${BARE.test(text) ? text : quoteBytes(Buffer.from(text, 'latin1'))}`
}

/**
 * Parses `key=value`; if the value is quoted, the token is the text without quotes. With a key number, even
 * of a known key, the value is its bytes on the wire: `key3="\\001\\187"` (RFC 9460 section 2.1).
 */
export function readParameter(raw: string): { name: string; value: DataValue } {
  const at = raw.indexOf('=')
  const given = (at === -1 ? raw : raw.slice(0, at)).toLowerCase()
  const name = canonicalKey(given)
  const text = at === -1 ? null : unescapeBytes(raw.slice(at + 1))
  if (at !== -1 && text === null) throw new Unreadable('must not have an invalid escape after "\\"')
  const parameter = parameterOf(name)
  return { name, value: given === name ? parameter.read(text) : valueOnWire(name, parameter, text) }
}

function valueOnWire(name: string, parameter: Parameter, bytes: Buffer | null): DataValue {
  const reader = new WireReader(bytes ?? Buffer.of())
  const value = parameter.fromWire(reader)
  if (reader.left > 0) throw new Unreadable(`must not have extra data after ${name}`)
  return value
}

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(PARAMETERS).map(([name, { key }]) => [key, name]),
)
