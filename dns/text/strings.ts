/**
 * Character strings of master files (RFC 1035 sections 3.3 and 5.1): `"quoted text"` or `bare-text`, where
 * `\DDD` is the byte with that decimal number and `\X` the character X itself. Text is UTF-8. Everything here
 * takes linear time.
 */

/** One string as written: with escapes, without quotes. */
export interface Token {
  raw: string
  quoted: boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a
const EQUALS = 0x3d

/** The index of the quote that closes the one at `start`, or -1 if the line ends first. */
export function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === NEWLINE) return -1
    if (code === BACKSLASH && text.charCodeAt(at + 1) !== NEWLINE) at++
  }
  return -1
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === NEWLINE || code === 0x0d

/**
 * The strings of one record's data, in order; null if a quote isn't closed or opens inside a word. With
 * `pairs`, a quote may open after "=": `key="value"` is two strings, `key=` and the value.
 */
export function splitTokens(rdata: string, { pairs = false } = {}): Token[] | null {
  const tokens: Token[] = []
  let at = 0
  while (at < rdata.length) {
    if (isBlank(rdata.charCodeAt(at))) {
      at++
      continue
    }
    const quoted = rdata.charCodeAt(at) === QUOTE
    const end = quoted ? closingQuote(rdata, at) : endOfWord(rdata, at, pairs)
    if (end === -1) return null
    tokens.push({ raw: rdata.slice(quoted ? at + 1 : at, end), quoted })
    at = quoted ? end + 1 : end
  }
  return tokens
}

function endOfWord(text: string, start: number, pairs: boolean): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) return at
    if (code === QUOTE) return pairs && text.charCodeAt(at - 1) === EQUALS ? at : -1
    if (code === BACKSLASH) at++
  }
  return text.length
}

/** The bytes of a string with escapes; null for a malformed escape (`\12`, `\999`, a final `\`). */
export function unescapeBytes(raw: string): Buffer | null {
  const input = Buffer.from(raw, 'utf8')
  if (!input.includes(BACKSLASH)) return input
  let length = 0
  for (let at = 0; at < input.length; at++, length++) {
    let byte = input[at] ?? 0
    if (byte === BACKSLASH) {
      const escape = readEscape(input, at + 1)
      if (escape === null) return null
      byte = escape.byte
      at += escape.length
    }
    // Works in place: the output is never ahead of the input.
    input[length] = byte
  }
  return input.subarray(0, length)
}

function readEscape(bytes: Buffer, at: number): { byte: number; length: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0x30 || first > 0x39) return { byte: first, length: 1 }
  const digits = bytes.toString('latin1', at, at + 3)
  const byte = /^[0-9]{3}$/.test(digits) ? Number(digits) : 256
  return byte <= 255 ? { byte, length: 3 } : null
}

/** One byte inside quotes: printable ASCII unchanged, quotes and backslashes escaped, others as `\DDD`. */
function escapeByte(byte: number): string {
  if (byte === QUOTE || byte === BACKSLASH) return `\\${String.fromCharCode(byte)}`
  if (byte >= 0x20 && byte <= 0x7e) return String.fromCharCode(byte)
  return `\\${String(byte).padStart(3, '0')}`
}

const ESCAPED = Array.from({ length: 256 }, (_, byte) => escapeByte(byte))

/** The bytes as one quoted ASCII string. */
export function quoteBytes(bytes: Uint8Array): string {
  let text = '"'
  for (const byte of bytes) text += ESCAPED[byte]
  return `${text}"`
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of UTF-8 bytes, or null if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return null
  }
}
