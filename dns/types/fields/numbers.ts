import { readNumber } from '../numbers.ts'
import type { Field } from '../define.ts'
import type { FieldInfo } from '../definition.ts'
import { Unreadable } from '../words.ts'

type NumberInfo = Pick<FieldInfo, 'title' | 'help' | 'choices'> & {
  example: number
  /** Names that zone files may use instead of numbers, in upper case. */
  mnemonics?: Readonly<Record<string, number>>
}

/** A number of the given size in octets. */
function unsigned(octets: number, { mnemonics = {}, ...info }: NumberInfo): Field<number> {
  const maximum = 2 ** (8 * octets) - 1
  const range = `must be a number from 0 to ${maximum}`
  return {
    info: { kind: 'integer', minimum: 0, maximum, ...info },
    read(words) {
      const { raw } = words.next()
      const word = raw.toUpperCase()
      const number = Object.hasOwn(mnemonics, word) ? (mnemonics[word] ?? null) : readNumber(raw, maximum)
      if (number === null) throw new Unreadable(range)
      return number
    },
    accept(given) {
      if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= maximum) return given
      throw new Unreadable(range)
    },
    show: String,
    toWire: (value, out) => out.number(value, octets),
    fromWire: (input) => input.number(octets),
  }
}

export const uint8 = (info: NumberInfo): Field<number> => unsigned(1, info)
export const uint16 = (info: NumberInfo): Field<number> => unsigned(2, info)
export const uint32 = (info: NumberInfo): Field<number> => unsigned(4, info)
