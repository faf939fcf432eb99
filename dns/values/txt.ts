import { decodeUtf8, quoteBytes, splitTokens, unescapeBytes } from '../strings.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

/**
 * TXT is the text itself: quotes and backslashes in it mean nothing, and it isn't cut into strings.
 *
 * One exception. A value that as a whole is written in double quotes (`"v=spf1 -all"`, or several such
 * strings) is nearly always a paste from a zone file, and published with the quotes it would be broken.
 * So that is read as a zone file reads it: quotes off, escapes resolved, strings joined.
 * To keep reading and writing back a no-op, the canonical form of a text is the text, except where the
 * text would be taken for such a paste, is empty, or holds what plain text can't (control characters,
 * bytes that aren't UTF-8): that is in quotes, with escapes, `"\"really in quotes\""`, `"caf\233"`.
 */
const MAX_CHARACTERS = 2048

// More than any accepted text takes, also when each of its bytes is escaped and each string quoted.
const MAX_INPUT = 65_536

// In plain text only a tab; the rest would break zone files, logs, and (NUL) the database.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0a-\x1f\x7f-\x9f]/

/** At most 2048 characters, counted in code points, after quotes and escapes of a paste are resolved. */
export function checkTxt(value: string): ValueCheck {
  if (value.length > MAX_INPUT)
    return refused(`TXT is too long; at most ${MAX_CHARACTERS} characters are allowed`)
  if (!value.isWellFormed()) return refused('TXT has half of a surrogate pair, which is no character')
  const bytes = readQuoted(value) ?? Buffer.from(value)
  if (bytes.length === 0) return refused('TXT must not be empty')
  // What isn't UTF-8 is counted in bytes.
  const text = decodeUtf8(bytes) ?? bytes.toString('latin1')
  const reason = whyNotText(text, decodeUtf8(bytes) !== null)
  return reason === null ? accepted(canonicalTxt(bytes)) : refused(reason)
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

/** The bytes of a value that as a whole consists of quoted strings, or null when it doesn't. */
function readQuoted(value: string): Buffer | null {
  const text = value.trim()
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return null
  const tokens = splitTokens(text)
  if (tokens === null || tokens.some((token) => !token.quoted)) return null
  return joinStrings(tokens.map((token) => token.raw))
}

function joinStrings(raw: string[]): Buffer | null {
  const strings: Buffer[] = []
  for (const string of raw) {
    const bytes = unescapeBytes(string)
    if (bytes === null) return null
    strings.push(bytes)
  }
  return Buffer.concat(strings)
}

function canonicalTxt(bytes: Buffer): string {
  const text = decodeUtf8(bytes)
  const plain = text !== null && text !== '' && !CONTROL.test(text) && readQuoted(text) === null
  return plain ? text : quoteBytes(bytes)
}

/** The canonical form of a provider's TXT in master-file syntax, quoted or not; null when it has none. */
export function readTxt(rdata: string): string | null {
  const tokens = splitTokens(rdata)
  if (tokens === null || tokens.length === 0) return null
  const bytes = joinStrings(tokens.map((token) => token.raw))
  return bytes === null ? null : canonicalTxt(bytes)
}

/** Master-file data of a canonical TXT: quoted strings of at most 255 bytes (RFC 1035 section 3.3.14). */
export function writeTxt(canonical: string): string {
  const bytes = readQuoted(canonical) ?? Buffer.from(canonical)
  const strings = [quoteBytes(bytes.subarray(0, 255))]
  for (let at = 255; at < bytes.length; at += 255) strings.push(quoteBytes(bytes.subarray(at, at + 255)))
  return strings.join(' ')
}

/** The canonical form of a text, for APIs that hold it bare: nothing in it is read as a quote or escape. */
export const txtFromText = (text: string): string => canonicalTxt(Buffer.from(text))

/** The text of a canonical TXT, for APIs that want it bare; what isn't UTF-8 becomes U+FFFD. */
export const txtToText = (canonical: string): string => readQuoted(canonical)?.toString() ?? canonical
