import { RE2JS } from 're2js'

/** What the counts of one pattern may add up to: an engine in linear time still does each of them for each character. */
const MAX_COUNTS = 1_000
/** The cost of all patterns of one template together. */
export const MAX_PATTERN_COST = 3_000

/** Matches whole values in time linear in their length, whatever the pattern. */
export interface ValuePattern {
  matches(value: string): boolean
  /** Bounds the steps that one character of a value takes. */
  cost: number
}

/**
 * Compiles a pattern that a user entered for the RE2 engine; null when it is not valid there. Counts of groups are not
 * allowed: they multiply, and the bound on the pattern's size would have to be found by compiling it.
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
