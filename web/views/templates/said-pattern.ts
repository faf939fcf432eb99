/** What a variable's pattern asks for, as far as it is of the kinds that need no regular expression to be said. */
export type Said =
  | { kind: 'words'; words: string[] }
  /** `marks`: what may stand besides letters and digits, each on its own. */
  | { kind: 'characters'; letters: boolean; digits: boolean; marks: string[] }

/** Null: nothing but the pattern itself says it. */
export function sayPattern(pattern: string): Said | null {
  if (/^[\w-]+(\|[\w-]+)+$/.test(pattern)) return { kind: 'words', words: pattern.split('|') }
  const inside = /^\[([^\\^[\]&]+)\]\+$/.exec(pattern)?.[1]
  if (inside === undefined) return null
  const rest = inside.replace(/A-Z|a-z|0-9/g, '')
  // Of other ranges and of letters by themselves the words would say too much.
  if (/[^-]-[^-]|\w(?<!_)/.test(rest)) return null
  return {
    kind: 'characters',
    letters: /A-Z|a-z/.test(inside),
    digits: inside.includes('0-9'),
    marks: [...new Set(rest)],
  }
}
