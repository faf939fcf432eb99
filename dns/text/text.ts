import { decodeUtf8, quoteBytes, splitTokens, unescapeBytes } from './strings.ts'

/**
 * Character strings as people see them: the text itself, except where it is empty, or holds what plain text can't
 * (control characters, bytes that aren't UTF-8), or would be taken for quoted strings: that is in quotes, with
 * escapes, `"caf\\233"`.
 */

/** Bytes of one string (RFC 1035 section 3.3). */
export const MAX_STRING = 255

// In plain text only a tab; the rest would break zone files, logs, and (NUL) the database.
// oxlint-disable-next-line no-control-regex
export const CONTROL = /[\0-\x08\x0a-\x1f\x7f-\x9f]/

/** The strings of a text that as a whole consists of quoted ones, or null when it doesn't. */
export function readQuoted(value: string): Buffer[] | null {
  const text = value.trim()
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return null
  const tokens = splitTokens(text)
  if (tokens === null || tokens.some((token) => !token.quoted)) return null
  return unescapeAll(tokens.map((token) => token.raw))
}

/** The bytes of each string with escapes; null when one of them is broken. */
export function unescapeAll(raw: string[]): Buffer[] | null {
  const strings = raw.map(unescapeBytes)
  return strings.some((bytes) => bytes === null) ? null : (strings as Buffer[])
}

export function textOfBytes(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  const plain = text !== null && text !== '' && !CONTROL.test(text) && readQuoted(text) === null
  return plain ? text : quoteBytes(bytes)
}

/** The other way: `bytesOfText(textOfBytes(bytes))` are the bytes. */
export function bytesOfText(text: string): Buffer {
  const strings = readQuoted(text)
  return strings === null ? Buffer.from(text) : Buffer.concat(strings)
}
