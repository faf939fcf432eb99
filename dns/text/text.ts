import { decodeUtf8, quoteBytes, splitTokens, unescapeBytes } from './strings.ts'

/**
 * Display form of character strings: the plain text, except if it is empty, would be taken for quoted
 * strings, or has control characters or bytes that aren't UTF-8. Those are quoted with escapes, `"caf\\233"`.
 */

/** Maximum bytes of one string (RFC 1035 section 3.3). */
export const MAX_STRING = 255

// Plain text may only have tabs; other control characters break zone files, logs and (NUL) the database.
// oxlint-disable-next-line no-control-regex
export const CONTROL = /[\0-\x08\x0a-\x1f\x7f-\x9f]/

/** The strings of a text made up only of quoted strings; null for any other text. */
export function readQuoted(value: string): Buffer[] | null {
  const text = value.trim()
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return null
  const tokens = splitTokens(text)
  if (tokens === null || tokens.some((token) => !token.quoted)) return null
  return unescapeAll(tokens.map((token) => token.raw))
}

/** The bytes of each string with escapes; null if an escape is malformed. */
export function unescapeAll(raw: string[]): Buffer[] | null {
  const strings = raw.map(unescapeBytes)
  return strings.some((bytes) => bytes === null) ? null : (strings as Buffer[])
}

export function textOfBytes(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  const plain = text !== null && text !== '' && !CONTROL.test(text) && readQuoted(text) === null
  return plain ? text : quoteBytes(bytes)
}

/** The reverse: `bytesOfText(textOfBytes(bytes))` returns the bytes. */
export function bytesOfText(text: string): Buffer {
  const strings = readQuoted(text)
  return strings === null ? Buffer.from(text) : Buffer.concat(strings)
}
