import { bytesOfText, MAX_STRING, textOfBytes as textOrQuoted } from '../../text/text.ts'
import { quoteBytes, unescapeBytes } from '../../text/strings.ts'
import type { Field } from '../define.ts'
import type { FieldInfo } from '../definition.ts'
import { Unreadable, type Words } from '../words.ts'

type TextInfo = Pick<FieldInfo, 'title' | 'help' | 'choices'> & { example: string }

const textOfBytes = (bytes: Uint8Array): string => (bytes.length === 0 ? '' : textOrQuoted(bytes))

function readBytes(words: Words, max: number): Buffer {
  const bytes = unescapeBytes(words.next().raw)
  if (bytes === null) throw new Unreadable('has an invalid escape after "\\"')
  if (bytes.length > max) throw new Unreadable(`has more than ${max} bytes`)
  return bytes
}

function acceptText(given: unknown, max: number): string {
  if (typeof given !== 'string' || !given.isWellFormed()) throw new Unreadable('must be text')
  const bytes = bytesOfText(given)
  if (bytes.length > max) throw new Unreadable(`has more than ${max} bytes`)
  return textOfBytes(bytes)
}

const show = (text: string) => quoteBytes(bytesOfText(text))

/** One character string (RFC 1035 section 3.3) of at most 255 bytes; may be empty. */
export const text = (info: TextInfo): Field<string> => ({
  info: { kind: 'text', ...info },
  read: (words) => textOfBytes(readBytes(words, MAX_STRING)),
  accept: (given) => acceptText(given, MAX_STRING),
  show,
  toWire: (value, out) => out.string(bytesOfText(value)),
  fromWire: (input) => textOfBytes(input.string()),
})

// What remains of 65,535 octets after the fields before.
const MAX_LONG = 65_000

/** Text to the end of the data, without a length prefix. */
export const longText = (info: TextInfo): Field<string> => ({
  info: { kind: 'text', ...info },
  read: (words) => textOfBytes(readBytes(words, MAX_LONG)),
  accept: (given) => acceptText(given, MAX_LONG),
  show,
  toWire: (value, out) => out.bytes(bytesOfText(value)),
  fromWire: (input) => textOfBytes(input.rest()),
})
