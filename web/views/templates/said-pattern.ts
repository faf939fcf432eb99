/** A variable's pattern in words, for kinds that need no regular expression. */
export type Said =
  | { kind: 'words'; words: string[] }
  /** `marks`: characters allowed besides letters and digits. */
  | { kind: 'characters'; letters: boolean; digits: boolean; marks: string[] }

/** Null: only the pattern itself describes it. */
export function sayPattern(pattern: string): Said | null {
  if (/^[\w-]+(\|[\w-]+)+$/.test(pattern)) return { kind: 'words', words: pattern.split('|') }
  const inside = /^\[([^\\^[\]&]+)\]\+$/.exec(pattern)?.[1]
  if (inside === undefined) return null
  const rest = inside.replace(/A-Z|a-z|0-9/g, '')
  // For other ranges, and letters alone, words would promise too much.
  if (/[^-]-[^-]|\w(?<!_)/.test(rest)) return null
  return {
    kind: 'characters',
    letters: /A-Z|a-z/.test(inside),
    digits: inside.includes('0-9'),
    marks: [...new Set(rest)],
  }
}
