import { relativeName, toAsciiName } from '../names/names.ts'
import { unescapeBytes } from '../text/strings.ts'

/**
 * Names as other servers hold them: DNS allows any byte in a label (RFC 2181 section 11), so here is
 * accepted what `toAsciiName` refuses to users.
 */

// 255 octets on the wire, each at most `\DDD`.
const MAX_RAW = 1020
const MAX_WIRE = 255
// White space that no backslash stands before.
const BLANK = /^(?:[^\\\s]|\\[^])*\s/
const SPECIAL = new Set(Buffer.from('".;\\@$()'))

/**
 * A name in master-file syntax in our canonical form: lower case, no final dot, "." for the root, and
 * `\DDD` or `\X` for what isn't plain. A name without final dot is taken as absolute: the APIs of
 * providers often leave it out. Null when it is no name at all.
 */
export function readName(raw: string): string | null {
  if (raw === '.') return '.'
  const plain = toAsciiName(raw)
  if (plain.ok) return plain.name
  if (raw.length > MAX_RAW || raw === '' || BLANK.test(raw)) return null
  const labels = splitLabels(raw).map(readLabel)
  if (labels.length > 1 && labels.at(-1)?.text === '') labels.pop()
  const names: string[] = []
  let octets = 1
  for (const label of labels) {
    if (label === null || label.length < 1 || label.length > 63) return null
    octets += label.length + 1
    names.push(label.text)
  }
  return octets <= MAX_WIRE ? names.join('.') : null
}

/** The same of a name relative to the zone, in which the apex is `@` or empty; null also when it is of another zone. */
export function readOwner(raw: string, zone: string): string | null {
  const absolute = readName(raw === '@' || raw === '' ? zone : `${raw}.${zone}`)
  return absolute === null ? null : relativeName(absolute, zone)
}

/** Cut at the dots that aren't escaped. */
export function splitLabels(raw: string): string[] {
  const labels: string[] = []
  let start = 0
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] === '\\') at++
    else if (raw[at] === '.') {
      labels.push(raw.slice(start, at))
      start = at + 1
    }
  }
  return [...labels, raw.slice(start)]
}

function readLabel(raw: string): { text: string; length: number } | null {
  const bytes = unescapeBytes(raw)
  if (bytes === null) return null
  return { text: labelText(bytes), length: bytes.length }
}

const labelText = (bytes: Uint8Array): string => Array.from(bytes, escapeByte).join('')

/** The canonical name of these labels, which are of any bytes; "." for none. */
export const joinLabels = (labels: Uint8Array[]): string =>
  labels.length === 0 ? '.' : labels.map(labelText).join('.')

function escapeByte(byte: number): string {
  if (SPECIAL.has(byte)) return `\\${String.fromCharCode(byte)}`
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte).toLowerCase()
  return `\\${String(byte).padStart(3, '0')}`
}

/** A canonical name as master files have it, absolute: with its final dot. */
export const writeName = (name: string): string => (name === '.' ? '.' : `${name}.`)
