import { Unreadable, Words } from './words.ts'

/** Data of any type as bytes, `\# 4 0a000001` (RFC 3597 section 5). */
export const writeGeneric = (rdata: Uint8Array): string =>
  ['\\#', rdata.length, Buffer.from(rdata).toString('hex')].join(' ').trimEnd()

const MAX_RDATA = 65_535

/**
 * The bytes of data in that form; null for any other form. Throws Unreadable if the data only starts like it.
 */
export function readGeneric(rdata: string): Buffer | null {
  if (!rdata.trimStart().startsWith('\\#')) return null
  const [mark, length, ...hex] = Words.of(rdata).rest()
  if (mark?.raw !== '\\#' || mark.quoted) return null
  const digits = hex.map(({ raw }) => raw).join('')
  const bytes = Buffer.from(digits, 'hex')
  const isWhole = /^(?:[0-9a-f]{2})*$/i.test(digits) && /^[0-9]{1,5}$/.test(length?.raw ?? '')
  if (!isWhole || Number(length?.raw) !== bytes.length || bytes.length > MAX_RDATA) {
    throw new Unreadable('must be "\\# <octets> <hexadecimal digits>", for example "\\# 4 0a000001"')
  }
  return bytes
}
