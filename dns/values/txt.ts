import { decodeUtf8, quoteBytes, splitTokens, unescapeBytes } from '../strings.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

/**
 * TXT is the text itself: quotes and backslashes in it mean nothing, and it is cut into strings of 255 bytes.
 *
 * One exception. A value that as a whole is written in double quotes (`"v=spf1 -all"`, or several such
 * strings) is nearly always a paste from a zone file, and published with the quotes it would be broken.
 * So that is read as a zone file reads it: quotes off, escapes resolved, the strings as they are.
 * To keep reading and writing back a no-op, the canonical form of a text is the text, except where the
 * text would be taken for such a paste, is empty, or holds what plain text can't (control characters,
 * bytes that aren't UTF-8): that is in quotes, with escapes, `"\"really in quotes\""`, `"caf\233"`. Where the
 * strings are others than those of 255 bytes, which some protocols care for (RFC 6763 section 6.1), each is in
 * quotes: `"txtvers=1" "qtotal=1"`.
 */
const MAX_CHARACTERS = 2048

/** Bytes of one string (RFC 1035 section 3.3). */
const MAX_STRING = 255

// More than any accepted text takes, also when each of its bytes is escaped and each string quoted.
const MAX_INPUT = 65_536

// In plain text only a tab; the rest would break zone files, logs, and (NUL) the database.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0a-\x1f\x7f-\x9f]/

/** At most 2048 characters, counted in code points, after quotes and escapes of a paste are resolved. */
export function checkTxt(value: string): ValueCheck {
  if (value.length > MAX_INPUT)
    return refused('txt_too_long', `TXT is too long; at most ${MAX_CHARACTERS} characters are allowed`)
  if (!value.isWellFormed())
    return refused('txt_text', 'TXT has half of a surrogate pair, which is no character')
  const strings = readQuoted(value) ?? [Buffer.from(value)]
  const reason = whyNotBytes(Buffer.concat(strings))
  return reason === null ? accepted(canonicalTxt(strings)) : refused('txt_text', reason)
}

/** The same for strings of which each is written as a value is, or empty. */
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
  if (bytes.length === 0) return 'TXT must not be empty'
  const text = decodeUtf8(bytes)
  // What isn't UTF-8 is counted in bytes.
  return whyNotText(text ?? bytes.toString('latin1'), text !== null)
}

function whyNotText(text: string, isText: boolean): string | null {
  const characters = countCharacters(text)
  if (characters > MAX_CHARACTERS) {
    return `TXT has ${characters} characters; at most ${MAX_CHARACTERS} are allowed`
  }
  if (/[\r\n]/.test(text)) return 'TXT must not have line breaks; write it in one line'
  if (text.includes('\0')) return 'TXT must not have NUL characters'
  if (isText && CONTROL.test(text)) return 'TXT must not have control characters other than a tab'
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

/** The strings of a value that as a whole consists of quoted ones, or null when it doesn't. */
function readQuoted(value: string): Buffer[] | null {
  const text = value.trim()
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return null
  const tokens = splitTokens(text)
  if (tokens === null || tokens.some((token) => !token.quoted)) return null
  return unescapeAll(tokens.map((token) => token.raw))
}

function unescapeAll(raw: string[]): Buffer[] | null {
  const strings = raw.map(unescapeBytes)
  return strings.some((bytes) => bytes === null) ? null : (strings as Buffer[])
}

function canonicalTxt(strings: Buffer[]): string {
  const bytes = Buffer.concat(strings)
  return isPlainSplit(strings) ? canonicalText(bytes) : strings.map(quoteBytes).join(' ')
}

function canonicalText(bytes: Buffer): string {
  const text = decodeUtf8(bytes)
  const plain = text !== null && text !== '' && !CONTROL.test(text) && readQuoted(text) === null
  return plain ? text : quoteBytes(bytes)
}

/** Whether all strings but the last are full. One that is too long is no string: its text is what counts. */
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

/** The strings of a canonical TXT, each as a value is written; null where they are the plain ones. */
export function txtStrings(canonical: string): string[] | null {
  const strings = readQuoted(canonical)
  return strings === null || isPlainSplit(strings) ? null : strings.map(canonicalText)
}

/** A canonical TXT as one value, without the bounds of its strings. */
export function joinTxt(canonical: string): string {
  const strings = readQuoted(canonical)
  return strings === null ? canonical : canonicalText(Buffer.concat(strings))
}

/** The canonical form of a provider's TXT in master-file syntax, quoted or not; null when it has none. */
export function readTxt(rdata: string): string | null {
  const tokens = splitTokens(rdata)
  if (tokens === null || tokens.length === 0) return null
  const strings = unescapeAll(tokens.map((token) => token.raw))
  return strings === null ? null : canonicalTxt(strings)
}

/** Master-file data of a canonical TXT: quoted strings of at most 255 bytes (RFC 1035 section 3.3.14). */
export function writeTxt(canonical: string): string {
  const strings = readQuoted(canonical) ?? [Buffer.from(canonical)]
  const written = isPlainSplit(strings) ? splitPlain(Buffer.concat(strings)) : strings
  return written.map(quoteBytes).join(' ')
}

/** The canonical form of a text, for APIs that hold it bare: nothing in it is read as a quote or escape. */
export const txtFromText = (text: string): string => canonicalText(Buffer.from(text))

/** The text of a canonical TXT, for APIs that want it bare; what isn't UTF-8 becomes U+FFFD. */
export function txtToText(canonical: string): string {
  const strings = readQuoted(canonical)
  return strings === null ? canonical : Buffer.concat(strings).toString()
}
