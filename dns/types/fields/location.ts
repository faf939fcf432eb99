import type { Field } from '../define.ts'
import type { FieldInfo } from '../definition.ts'
import { Unreadable, Words } from '../words.ts'

type Info = Pick<FieldInfo, 'title' | 'help'>

// RFC 1876 section 2: thousandths of an arc second; 2^31 is the equator or the prime meridian.
const ORIGIN = 2 ** 31
const PER_SECOND = 1000
const PER_MINUTE = 60 * PER_SECOND
const PER_DEGREE = 60 * PER_MINUTE

/** `52 22 23.000`. */
function inDegrees(angle: number): string {
  const minutes = Math.floor((angle % PER_DEGREE) / PER_MINUTE)
  return `${Math.floor(angle / PER_DEGREE)} ${minutes} ${((angle % PER_MINUTE) / PER_SECOND).toFixed(3)}`
}

/** Latitude or longitude, `52 22 23.000 N`; minutes and seconds may be omitted. */
export function coordinate(
  info: Info & { example: string },
  [positive, negative]: [string, string],
  maxDegrees: number,
): Field<string> {
  const reason = `must be degrees, minutes, seconds, and ${positive} or ${negative}, for example "${info.example}"`
  const read = (words: Words): string => {
    const parts: string[] = []
    for (let word = words.next().raw; ; word = words.next().raw) {
      const direction = word.toUpperCase()
      if (direction === positive || direction === negative) return show(direction, parts)
      parts.push(word)
      if (parts.length > 3) throw new Unreadable(reason)
    }
  }
  const show = (direction: string, [degrees = '', minutes = '0', seconds = '0']: string[]): string => {
    const isNumber = /^[0-9]{1,3}$/.test(degrees) && /^[0-9]{1,2}$/.test(minutes)
    if (!isNumber || !/^[0-9]{1,2}(?:\.[0-9]{1,3})?$/.test(seconds)) throw new Unreadable(reason)
    const total =
      Number(degrees) * PER_DEGREE + Number(minutes) * PER_MINUTE + Math.round(Number(seconds) * PER_SECOND)
    // PowerDNS writes the next minute as 60.000 seconds.
    if (Number(minutes) > 59 || Number(seconds) > 60 || total > maxDegrees * PER_DEGREE)
      throw new Unreadable(reason)
    // 0 S and 0 N are indistinguishable.
    const side = total === 0 ? positive : direction
    return `${inDegrees(total)} ${side}`
  }
  return {
    info: { kind: 'coordinate', ...info },
    read,
    accept(given) {
      const words = typeof given === 'string' ? Words.of(given) : null
      const value = words && read(words)
      if (value === null || words?.isEmpty !== true) throw new Unreadable(reason)
      return value
    },
    show: (value) => value,
    toWire(value, out) {
      const [degrees = '', minutes = '', seconds = '', direction = ''] = value.split(' ')
      const angle =
        Number(degrees) * PER_DEGREE + Number(minutes) * PER_MINUTE + Math.round(Number(seconds) * PER_SECOND)
      out.number(ORIGIN + (direction === positive ? angle : -angle), 4)
    },
    fromWire(input) {
      const angle = input.number(4) - ORIGIN
      return `${inDegrees(Math.abs(angle))} ${angle < 0 ? negative : positive}`
    },
  }
}

/** Converts meters to centimeters. */
function readCentimetres(word: string): number | null {
  const [, metres] = /^(-?[0-9]{1,8}(?:\.[0-9]{1,2})?)m?$/i.exec(word) ?? []
  return metres === undefined ? null : Math.round(Number(metres) * 100)
}

const showMetres = (metres: number): string => `${metres.toFixed(2)}m`

// Above the reference spheroid, from 100 km below it.
const LOWEST = -10_000_000

/** Meters, to the centimeter. */
export function altitude(info: Info & { example: number }): Field<number> {
  const reason = 'must be meters from -100000.00 to 42849672.95'
  const inRange = (centimetres: number | null): number => {
    if (centimetres === null || centimetres < LOWEST || centimetres > LOWEST + 2 ** 32 - 1)
      throw new Unreadable(reason)
    return centimetres / 100
  }
  return {
    info: { kind: 'decimal', minimum: -100_000, maximum: 42_849_672.95, ...info },
    read: (words) => inRange(readCentimetres(words.next().raw)),
    accept: (given) => inRange(typeof given === 'number' ? Math.round(given * 100) : null),
    show: showMetres,
    toWire: (metres, out) => out.number(Math.round(metres * 100) - LOWEST, 4),
    fromWire: (input) => (input.number(4) + LOWEST) / 100,
  }
}

/** Meters with one significant digit: on the wire a digit and a power of ten, in centimeters. */
export function precision(info: Info & { example: number }, absent: number): Field<number> {
  const reason = 'must be meters from 0 to 90000000'
  const rounded = (centimetres: number | null): number => {
    if (centimetres === null || centimetres < 0 || centimetres > 9e9) throw new Unreadable(reason)
    const power = 10 ** Math.max(Math.floor(Math.log10(Math.max(centimetres, 1))), 0)
    return (Math.floor(centimetres / power) * power) / 100
  }
  return {
    info: { kind: 'decimal', minimum: 0, maximum: 90_000_000, ...info },
    read: (words) => (words.isEmpty ? absent : rounded(readCentimetres(words.next().raw))),
    accept: (given) =>
      given === undefined ? absent : rounded(typeof given === 'number' ? Math.round(given * 100) : null),
    show: showMetres,
    toWire(metres, out) {
      const digits = String(Math.round(metres * 100))
      out.number((Number(digits[0]) << 4) | (digits.length - 1), 1)
    },
    fromWire(input) {
      const octet = input.number(1)
      if (octet >> 4 > 9 || (octet & 15) > 9) throw new Unreadable(reason)
      return ((octet >> 4) * 10 ** (octet & 15)) / 100
    },
  }
}
