import { isBelow, parseOwner, type NameResult } from './names.ts'
import { readName } from '../wire/wire-name.ts'

/**
 * Patterns of host names within a zone, for delegations and tokens: `*` is every name including the apex, `@`
 * the apex only, `app` only that name, `*.dev` every name below dev at any depth but not dev itself.
 */
export function parseNamePattern(input: string): NameResult {
  if (input === '*') return { ok: true, name: '*' }
  // The zone doesn't matter: a pattern is relative, and names outside the zone are rejected.
  const parsed = parseOwner(input, 'pattern.invalid')
  if (parsed.ok || !/pattern\.invalid/.test(parsed.reason)) return parsed
  return {
    ok: false,
    code: 'name_pattern',
    reason: `"${input}" is not a valid pattern; use *, @, a host name, or *.name`,
  }
}

/** Names already in canonical form: no escapes, no upper case. */
const PLAIN = /^[^\\A-Z]*$/

const canonical = (name: string): string => (PLAIN.test(name) ? name : (readName(name) ?? name))

/**
 * Whether one of the (parsed) patterns covers a relative name. Compares label by label, ignoring case and the
 * form of escapes: `*.dev` doesn't cover `x\.dev`, which is one label.
 * modules/domains/access/covered-names-queries is the SQL equivalent.
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
  // One pattern has to cover everything below; several never add up to it.
  const below = name === '@' ? '*' : `*.${name}`
  return coversName(patterns, name) && coversName(patterns.filter(isWide), below)
}

const isWide = (pattern: string): boolean => pattern === '*' || pattern.startsWith('*.')

/** The patterns in a form for SQL; null if they cover every name. */
export function splitPatterns(patterns: readonly string[]): { exact: string[]; below: string[] } | null {
  if (patterns.includes('*')) return null
  return {
    exact: [...patterns],
    below: patterns.filter((pattern) => pattern.startsWith('*.')).map((pattern) => pattern.slice(1)),
  }
}
