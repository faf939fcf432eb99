import { RE2JS } from 're2js'

/**
 * Maximum sum of the counts in one pattern: a linear-time engine still evaluates each of them for each
 * character.
 */
const MAX_COUNTS = 1_000
/** Maximum cost of all patterns of one template. */
export const MAX_PATTERN_COST = 3_000

/** Matches whole values in time linear in their length, for any pattern. */
export interface ValuePattern {
  matches(value: string): boolean
  /** Bounds the steps per character of a value. */
  cost: number
}

/**
 * Compiles a user's pattern with the RE2 engine; null if it is invalid. Counted groups are not allowed: they
 * multiply, so the cost of the pattern would be known only after compiling it.
 */
export function compileValuePattern(pattern: string): ValuePattern | null {
  const counts = [...pattern.matchAll(/\{(\d*),?(\d*)\}/g)].map(([, from, to]) =>
    Math.max(Number(from), Number(to)),
  )
  const repeats = counts.reduce((sum, count) => sum + count, 0)
  if (repeats > MAX_COUNTS || /\)\{|\\Q/.test(pattern)) return null
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return { matches: (value) => expression.testExact(value), cost: pattern.length + repeats }
  } catch {
    return null
  }
}
