const VERSION = /^v=spf1(?: |$)/i

/** Whether the text is an SPF record (RFC 7208 section 4.5). */
export const isSpf = (text: string): boolean => VERSION.test(text)

const termsOf = (text: string) => text.split(/\s+/).slice(1).filter(Boolean)
const isEnd = (term: string) => /^[+?~-]?all$/i.test(term) || /^redirect=/i.test(term)
/** `+` is what counts without a qualifier (RFC 7208 section 4.6.2). */
const sense = (term: string) => term.toLowerCase().replace(/^\+/, '')

/**
 * One SPF record that says what both say: there must not be two of them (RFC 7208 section 4.5). Terms of the second that
 * the first lacks come before its end (`all` or `redirect`), which stays. Null where that is not what the second means:
 * one that lets nobody send can't be said together with one that lets somebody.
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
