import { relativeName, toAsciiName } from '../names/names.ts'
import { unescapeBytes } from '../text/strings.ts'

/**
 * Names as other servers store them. DNS allows any byte in a label (RFC 2181 section 11), so this accepts
 * names that `toAsciiName` rejects from users.
 */

// 255 octets on the wire, each at most `\DDD`.
const MAX_RAW = 1020
const MAX_WIRE = 255
// Unescaped white space.
const BLANK = /^(?:[^\\\s]|\\[^])*\s/
const SPECIAL = new Set(Buffer.from('".;\\@$()'))

/**
 * The canonical form of a name in master-file syntax: lower case, no final dot, "." for the root, and `\DDD`
 * or `\X` for special characters. A name without final dot is read as absolute, because provider APIs often
 * omit it. Null if it is not a valid name.
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

/**
 * The same for a name relative to the zone, where the apex is `@` or empty; null also for a name outside the
 * zone.
 */
export function readOwner(raw: string, zone: string): string | null {
  const absolute = readName(raw === '@' || raw === '' ? zone : `${raw}.${zone}`)
  return absolute === null ? null : relativeName(absolute, zone)
}

/** Split at unescaped dots. */
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

/** The canonical name of labels with any bytes; "." for an empty list. */
export const joinLabels = (labels: Uint8Array[]): string =>
  labels.length === 0 ? '.' : labels.map(labelText).join('.')

function escapeByte(byte: number): string {
  if (SPECIAL.has(byte)) return `\\${String.fromCharCode(byte)}`
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte).toLowerCase()
  return `\\${String(byte).padStart(3, '0')}`
}

/** A canonical name as an absolute one for master files: with a final dot. */
export const writeName = (name: string): string => (name === '.' ? '.' : `${name}.`)
