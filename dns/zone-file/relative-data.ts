import { parseOwner, relativeName, type NameResult } from '../names/names.ts'
import { shown } from '../text/messages.ts'
import { splitTokens, type Token } from '../text/strings.ts'
import { typeOf, type RecordType } from '../types/index.ts'
import { readName, writeName } from '../wire/wire-name.ts'

/* Presentation data in which names without a final dot are relative to an origin (RFC 1035 section 5.1). */

/**
 * The same data with absolute names. `origin` is canonical; data that can't be split into words is unchanged.
 */
export function absoluteData(type: RecordType, rdata: string, origin: string): string {
  if (!typeOf(type).fields.some(({ kind }) => kind === 'name')) return rdata
  const words = splitTokens(rdata, { pairs: true })
  return words === null ? rdata : absoluteWords(type, words, origin)
}

/** The same for words. */
export function absoluteWords(type: RecordType, words: readonly Token[], origin: string): string {
  const { fields } = typeOf(type)
  const isGeneric = words[0]?.raw === '\\#' && !words[0].quoted
  // Names come before fields of more than one word, so words match fields.
  const absolute = words.map(({ raw, quoted }, at) => {
    if (fields[at]?.kind === 'name' && !isGeneric) return absoluteTarget(raw, origin)
    return quoted ? `"${raw}"` : raw
  })
  return absolute.join(' ')
}

/** A name with its final dot; `@` is the origin itself. */
export function absoluteTarget(raw: string, origin: string): string {
  if (raw === '@') return writeName(origin)
  if (endsInDot(raw)) return raw
  return origin === '.' ? `${raw}.` : `${raw}.${origin}.`
}

/** Whether the name ends in an unescaped dot. */
function endsInDot(raw: string): boolean {
  if (!raw.endsWith('.')) return false
  let escapes = 0
  while (raw[raw.length - 2 - escapes] === '\\') escapes++
  return escapes % 2 === 0
}

/** The owner of a record relative to the zone, given a full name. */
export function ownerOf(name: string, zone: string): NameResult {
  const canonical = readName(name)
  if (canonical === null) return parseOwner(name, zone)
  const relative = relativeName(canonical, zone)
  if (relative !== null) return { ok: true, name: relative }
  return { ok: false, code: 'name_outside_zone', reason: `${shown(name)} is outside ${zone}` }
}
