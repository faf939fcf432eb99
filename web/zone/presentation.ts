interface TypeField {
  kind: string
}

/** Field kinds that are one word of the value. */
const WORDS = new Set(['integer', 'decimal', 'ipv4', 'ipv6', 'name', 'hex', 'base64', 'text'])

const wordsOf = (value: string) => value.match(/"(?:\\.|[^"\\])*"|\S+/g) ?? []
const isQuoted = (word: string | undefined) => word?.startsWith('"') === true
const unquoted = (word: string) => (isQuoted(word) ? word.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : word)

/**
 * How the fields form the value in presentation format (RFC 1035 section 5.1); null if they aren't one word each.
 * `example` shows which words are quoted.
 */
export function shapeOf(fields: readonly TypeField[], example: string): { quoted: boolean[] } | null {
  const words = wordsOf(example)
  const isSimple = fields.every(({ kind }) => WORDS.has(kind)) && words.length === fields.length
  return isSimple ? { quoted: words.map(isQuoted) } : null
}

/** Texts of the fields of a value; null if the number of words differs. */
export function splitValue(value: string, count: number): string[] | null {
  const words = wordsOf(value)
  return words.length === count ? words.map(unquoted) : null
}

export const joinValue = (texts: readonly string[], { quoted }: { quoted: boolean[] }): string =>
  texts.map((text, at) => (quoted[at] ? `"${text.replaceAll(/(["\\])/g, '\\$1')}"` : text.trim())).join(' ')
