import { isBelow, parseOwner, type NameResult } from './names.ts'
import { readName } from '../wire/wire-name.ts'

/**
 * Patterns of host names within a zone, as delegations and tokens use them: `*` every name with the apex,
 * `@` the apex alone, `app` that name alone, `*.dev` every name below dev at any depth but not dev itself.
 */
export function parseNamePattern(input: string): NameResult {
  if (input === '*') return { ok: true, name: '*' }
  // Any zone does: a pattern is relative, and names that leave it are refused.
  const parsed = parseOwner(input, 'pattern.invalid')
  if (parsed.ok || !/pattern\.invalid/.test(parsed.reason)) return parsed
  return {
    ok: false,
    code: 'name_pattern',
    reason: `"${input}" is no pattern: use *, @, a host name, or *.name`,
  }
}

/** Names that are canonical as they are written: no escapes, no upper case. */
const PLAIN = /^[^\\A-Z]*$/

const canonical = (name: string): string => (PLAIN.test(name) ? name : (readName(name) ?? name))

/**
 * Whether a relative name is covered by one of the (parsed) patterns. Names are compared label by label, ignoring case,
 * however their escapes are written: `*.dev` does not cover `x\.dev`, which is one label. modules/domains/access/covered-names-queries
 * says the same in SQL.
 */
export function coversName(patterns: readonly string[], given: string): boolean {
  const name = canonical(given)
  return patterns.some((written) => {
    const pattern = canonical(written)
    if (pattern === '*' || pattern === name) return true
    return pattern.startsWith('*.') && isBelow(name, pattern.slice(2))
  })
}

/** Whether the patterns cover a relative name and everything below it. */
export function coversSubtree(patterns: readonly string[], name: string): boolean {
  // One pattern for everything below: several never add up to it.
  const below = name === '@' ? '*' : `*.${name}`
  return coversName(patterns, name) && coversName(patterns.filter(isWide), below)
}

const isWide = (pattern: string): boolean => pattern === '*' || pattern.startsWith('*.')

/** The patterns as a database can match them; null when they cover every name. */
export function splitPatterns(patterns: readonly string[]): { exact: string[]; below: string[] } | null {
  if (patterns.includes('*')) return null
  return {
    exact: [...patterns],
    below: patterns.filter((pattern) => pattern.startsWith('*.')).map((pattern) => pattern.slice(1)),
  }
}
