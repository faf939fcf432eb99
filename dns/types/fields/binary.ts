import type { Field } from '../define.ts'
import type { FieldInfo } from '../definition.ts'
import { Missing, Unreadable, type Words } from '../words.ts'

type BinaryInfo = Pick<FieldInfo, 'title' | 'help'> & { example: string }

const joinWords = (words: Words): string => {
  const tokens = words.rest()
  if (tokens.length === 0) throw new Missing()
  return tokens.map(({ raw }) => raw).join('')
}

/** The rest of the data as bytes; zone files may split it into several words. */
function bytesField(
  info: BinaryInfo & { kind: 'hex' | 'base64' },
  decode: (text: string) => Buffer | null,
  reason: string,
): Field<string> {
  const read = (text: string) => {
    const bytes = decode(text)
    if (bytes === null || bytes.length === 0) throw new Unreadable(reason)
    return bytes.toString(info.kind)
  }
  return {
    info,
    read: (words) => read(joinWords(words)),
    accept(given) {
      if (typeof given !== 'string') throw new Unreadable(reason)
      return read(given.replace(/\s+/g, ''))
    },
    show: (value) => value,
    toWire: (value, out) => out.bytes(Buffer.from(value, info.kind)),
    fromWire(input) {
      if (input.left === 0) throw new Missing()
      return Buffer.from(input.rest()).toString(info.kind)
    },
  }
}

/** As hexadecimal digits. */
export const hex = (info: BinaryInfo): Field<string> =>
  bytesField(
    { kind: 'hex', ...info },
    (text) => (/^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : null),
    'must be hexadecimal digits, two for each byte',
  )

/** As base64 (RFC 4648 section 4). */
export const base64 = (info: BinaryInfo): Field<string> =>
  bytesField({ kind: 'base64', ...info }, readBase64, 'must be base64, such as "AQIDBA=="')

/** The bytes of a base64 word, with or without padding; null if it isn't base64. */
export function readBase64(text: string): Buffer | null {
  const digits = text.replace(/={1,2}$/, '')
  if (!/^[a-z0-9+/]+$/i.test(digits) || digits.length % 4 === 1) return null
  return Buffer.from(digits, 'base64')
}
