/** What a type says about one of its fields. */
interface TypeField {
  kind: string
}

/** Kinds whose text is one word of the value. */
const WORDS = new Set(['integer', 'decimal', 'ipv4', 'ipv6', 'name', 'hex', 'base64', 'text'])

const wordsOf = (value: string) => value.match(/"(?:\\.|[^"\\])*"|\S+/g) ?? []
const isQuoted = (word: string | undefined) => word?.startsWith('"') === true
const unquoted = (word: string) => (isQuoted(word) ? word.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : word)

/**
 * How the value of a type is put together of its fields, word by word in presentation format (RFC 1035 section 5.1); null
 * where it is not that simple. `example` shows which words stand in quotes.
 */
export function shapeOf(fields: readonly TypeField[], example: string): { quoted: boolean[] } | null {
  const words = wordsOf(example)
  const isSimple = fields.every(({ kind }) => WORDS.has(kind)) && words.length === fields.length
  return isSimple ? { quoted: words.map(isQuoted) } : null
}

/** The texts of the fields of a value; null when it has another number of words. */
export function splitValue(value: string, count: number): string[] | null {
  const words = wordsOf(value)
  return words.length === count ? words.map(unquoted) : null
}

export const joinValue = (texts: readonly string[], { quoted }: { quoted: boolean[] }): string =>
  texts.map((text, at) => (quoted[at] ? `"${text.replaceAll(/(["\\])/g, '\\$1')}"` : text.trim())).join(' ')
