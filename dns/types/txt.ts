import { decodeUtf8, quoteBytes, splitTokens } from '../text/strings.ts'
import { bytesOfText, CONTROL, MAX_STRING, readQuoted, textOfBytes, unescapeAll } from '../text/text.ts'
import { WireError, WireReader, WireWriter } from '../wire/wire.ts'
import type { RecordTypeDefinition } from './definition.ts'
import { readGeneric } from './words.ts'
import { accepted, refused, type ValueCheck } from './values.ts'

/**
 * TXT is the text itself: quotes and backslashes in it mean nothing, and it is split into strings of 255
 * bytes.
 *
 * There is one exception. A value written entirely in double quotes (`"v=spf1 -all"`, or several such
 * strings) is nearly always pasted from a zone file, and would be broken if published with the quotes. It is
 * read as in a zone file: quotes removed, escapes resolved, strings kept. To make reading and writing back a
 * no-op, the canonical form of a text is the text, unless it would be taken for such a paste, is empty, or
 * has control characters or bytes that aren't UTF-8: then it is quoted with escapes, `"\"really in
 * quotes\""`, `"caf\233"`. If the strings are not split at 255 bytes, which matters to some protocols (RFC
 * 6763 section 6.1), each is quoted: `"txtvers=1" "qtotal=1"`.
 */
const MAX_CHARACTERS = 2048

// More than any accepted text needs, even with each byte escaped and each string quoted.
const MAX_INPUT = 65_536

/** At most 2048 characters, counted in code points after quotes and escapes of a paste are resolved. */
function check(value: string): ValueCheck {
  if (value.length > MAX_INPUT)
    return refused(
      'txt_too_long',
      `The TXT value is too long; at most ${MAX_CHARACTERS} characters are allowed`,
    )
  if (!value.isWellFormed())
    return refused('txt_text', 'The TXT value has half of a surrogate pair, which is not a valid character')
  const strings = readQuoted(value) ?? [Buffer.from(value)]
  const reason = whyNotBytes(Buffer.concat(strings))
  return reason === null ? accepted(canonicalTxt(strings)) : refused('txt_text', reason)
}

/** The same for a list of strings, each written like a value, or empty. */
export function checkTxtStrings(strings: string[]): ValueCheck {
  const bytes = strings.map((string) => {
    const parts = readQuoted(string)
    return parts === null ? Buffer.from(string) : Buffer.concat(parts)
  })
  const long = bytes.findIndex(({ length }) => length > MAX_STRING)
  const reason =
    long === -1
      ? whyNotBytes(Buffer.concat(bytes))
      : `String ${long + 1} of this TXT has more than ${MAX_STRING} bytes`
  return reason === null
    ? accepted(canonicalTxt(bytes))
    : { ok: false, errors: [{ path: 'strings', message: reason, code: 'txt_strings' }] }
}

function whyNotBytes(bytes: Buffer): string | null {
  if (bytes.length === 0) return 'The TXT value must not be empty'
  const text = decodeUtf8(bytes)
  // Bytes that aren't UTF-8 are counted as bytes.
  return whyNotText(text ?? bytes.toString('latin1'), text !== null)
}

function whyNotText(text: string, isText: boolean): string | null {
  const characters = countCharacters(text)
  if (characters > MAX_CHARACTERS) {
    return `The TXT value has ${characters} characters; at most ${MAX_CHARACTERS} are allowed`
  }
  if (/[\r\n]/.test(text)) return 'The TXT value must not have line breaks; write it on one line'
  if (text.includes('\0')) return 'The TXT value must not have NUL characters'
  if (isText && CONTROL.test(text)) return 'The TXT value must not have control characters other than tabs'
  return null
}

function countCharacters(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0xdc00 || code > 0xdfff) count++
  }
  return count
}

function canonicalTxt(strings: Buffer[]): string {
  const bytes = Buffer.concat(strings)
  return isPlainSplit(strings) ? textOfBytes(bytes) : strings.map(quoteBytes).join(' ')
}

/** Whether all strings except the last are full. For one that is too long, only the text counts. */
const isPlainSplit = (strings: Buffer[]): boolean =>
  strings.some(({ length }) => length > MAX_STRING) ||
  (strings.slice(0, -1).every(({ length }) => length === MAX_STRING) &&
    (strings.length === 1 || strings.at(-1)?.length !== 0))

function splitPlain(bytes: Buffer): Buffer[] {
  const strings = [bytes.subarray(0, MAX_STRING)]
  for (let at = MAX_STRING; at < bytes.length; at += MAX_STRING)
    strings.push(bytes.subarray(at, at + MAX_STRING))
  return strings
}

/** The strings of a canonical TXT, each written like a value; null if it is split in the default way. */
export function txtStrings(canonical: string): string[] | null {
  const strings = readQuoted(canonical)
  return strings === null || isPlainSplit(strings) ? null : strings.map(textOfBytes)
}

/** A canonical TXT as one value, without string boundaries. */
export function joinTxt(canonical: string): string {
  const strings = readQuoted(canonical)
  return strings === null ? canonical : textOfBytes(Buffer.concat(strings))
}

/** In master-file syntax, quoted or not; null if it has no strings. */
function read(rdata: string): string | null {
  const generic = readGeneric(rdata)
  if (generic !== null) return fromWire(generic)
  const tokens = splitTokens(rdata)
  if (tokens === null || tokens.length === 0) return null
  const strings = unescapeAll(tokens.map((token) => token.raw))
  return strings === null ? null : canonicalTxt(strings)
}

/** The strings on the wire, of at most 255 bytes each (RFC 1035 section 3.3.14). */
function stringsOf(canonical: string): Buffer[] {
  const strings = readQuoted(canonical) ?? [Buffer.from(canonical)]
  return isPlainSplit(strings) ? splitPlain(Buffer.concat(strings)) : strings
}

function toWire(canonical: string): Buffer {
  const out = new WireWriter()
  for (const string of stringsOf(canonical)) out.string(string)
  return out.finish()
}

function fromWire(message: Uint8Array, start = 0, end = message.length): string | null {
  const strings: Buffer[] = []
  try {
    const input = new WireReader(message, start, end)
    while (input.left > 0) strings.push(Buffer.from(input.string()))
  } catch (error) {
    if (error instanceof WireError) return null
    throw error
  }
  return strings.length === 0 ? null : canonicalTxt(strings)
}

export const TXT: RecordTypeDefinition = {
  type: 'TXT',
  code: 16,
  title: 'Text',
  help: 'Any text; many services look for theirs at a name they prescribe.',
  rfc: 'RFC 1035 section 3.3.14',
  fields: [
    {
      name: 'text',
      kind: 'text',
      title: 'Text',
      help: `At most ${MAX_CHARACTERS} characters`,
      example: 'v=spf1 -all',
    },
  ],
  example: 'v=spf1 -all',
  isUnknown: false,
  place: 'any',
  readOnly: false,
  check,
  checkData: ({ text }) =>
    typeof text === 'string'
      ? atText(check(text))
      : atText(refused('txt_text', 'The text of the TXT is missing')),
  warnings: () => [],
  toData: (canonical) => ({ text: joinTxt(canonical) }),
  read,
  write: (canonical) => stringsOf(canonical).map(quoteBytes).join(' '),
  toWire,
  fromWire,
}

const atText = (checked: ValueCheck): ValueCheck =>
  checked.ok
    ? checked
    : { ok: false, errors: checked.errors.map((error) => ({ ...error, path: 'data/text' as const })) }

/** The canonical form of a text, for APIs that take plain text; quotes and escapes in it are literal. */
export const txtFromText = (text: string): string => textOfBytes(Buffer.from(text))

/** The plain text of a canonical TXT, for APIs that need it; bytes that aren't UTF-8 become U+FFFD. */
export const txtToText = (canonical: string): string => bytesOfText(canonical).toString()
