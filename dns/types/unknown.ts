import { typeCode } from '../wire/type-codes.ts'
import type { RecordTypeDefinition } from './definition.ts'
import { hex } from './fields/binary.ts'
import { readGeneric, writeGeneric } from './words.ts'
import { accepted, refused, type ValueCheck } from './values.ts'
import { Unreadable } from './words.ts'

const EXAMPLE = '\\# 4 0a000001'

/** A type known only by its number: its data is bytes (RFC 3597 section 5). */
export function unknownType(type: string): RecordTypeDefinition {
  const { info } = hex({ title: 'Data', help: 'Hexadecimal digits', example: '0a000001' })
  const bytesOf = (canonical: string) => readGeneric(canonical) ?? Buffer.of()
  const read = (rdata: string) => {
    try {
      const bytes = readGeneric(rdata)
      return bytes && writeGeneric(bytes)
    } catch (error) {
      if (error instanceof Unreadable) return null
      throw error
    }
  }
  const check = (value: string): ValueCheck => {
    const canonical = read(value)
    if (canonical !== null) return accepted(canonical)
    return refused(
      'generic_form',
      `${type} must be "\\# <octets> <hexadecimal digits>", for example "${EXAMPLE}"`,
    )
  }
  return {
    type,
    code: typeCode(type),
    title: `Type ${type.slice('TYPE'.length)}`,
    help: 'A type without a form of its own here.',
    rfc: 'RFC 3597',
    fields: [{ name: 'data', ...info }],
    example: EXAMPLE,
    isUnknown: true,
    place: 'any',
    readOnly: false,
    check,
    checkData({ data }) {
      const digits = typeof data === 'string' ? data.replace(/\s+/g, '') : 'none'
      if (/^(?:[0-9a-f]{2})*$/i.test(digits)) return accepted(writeGeneric(Buffer.from(digits, 'hex')))
      const message = 'must be hexadecimal digits, two for each byte'
      return { ok: false, errors: [{ path: 'data/data', code: 'generic_data', message }] }
    },
    warnings: () => [],
    toData: (canonical) => ({ data: bytesOf(canonical).toString('hex') }),
    read,
    write: (canonical) => canonical,
    toWire: bytesOf,
    fromWire: (message, start = 0, end = message.length) => writeGeneric(message.subarray(start, end)),
  }
}
