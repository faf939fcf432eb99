const VERSION = /^v=spf1(?: |$)/i

/** Whether the text is an SPF record (RFC 7208 section 4.5). */
export const isSpf = (text: string): boolean => VERSION.test(text)

const termsOf = (text: string) => text.split(/\s+/).slice(1).filter(Boolean)
const isEnd = (term: string) => /^[+?~-]?all$/i.test(term) || /^redirect=/i.test(term)
/** `+` is the default qualifier (RFC 7208 section 4.6.2). */
const sense = (term: string) => term.toLowerCase().replace(/^\+/, '')

/**
 * Merges two SPF records, since a name must have only one (RFC 7208 section 4.5). Terms only in the second
 * are inserted before the end of the first (`all` or `redirect`), which stays. Null if that would change the
 * meaning of the second: a record that allows no sender can't be merged with one that allows some.
 */
export function mergeSpf(first: string, second: string): string | null {
  const [there, wanted] = [termsOf(first), termsOf(second).filter((term) => !isEnd(term))]
  const known = new Set(there.map(sense))
  if (wanted.length === 0)
    return termsOf(second).every((term) => known.has(sense(term))) && there.every(isEnd) ? first : null
  const missing = wanted.filter((term) => !known.has(sense(term)))
  if (missing.length === 0) return first
  const end = there.findIndex(isEnd)
  const at = end === -1 ? there.length : end
  return ['v=spf1', ...there.slice(0, at), ...missing, ...there.slice(at)].join(' ')
}
