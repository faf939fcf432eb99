import { isBelow, relativeName as nameInZone } from '../../dns/names/names.ts'

/**
 * Which names an assignment is about, and what somebody may do by it: the rule of the service, told ahead. The service
 * has the last word.
 */

/** What of an assignment decides. */
export interface Grant {
  /** `*` all names with the apex, `@` the apex, `app` that name alone, `*.dev` all below dev but not dev itself. */
  subdomainPattern: string
  permission: 'read' | 'write'
  /** What may be changed; null: all types. */
  recordTypes: readonly string[] | null
  /** A moment in UTC; null: never. */
  expiresAt: string | null
}

export type PatternKind = 'whole' | 'apex' | 'name' | 'below'

/** Whether a relative name is covered by a pattern; both are canonical. */
export const coversName = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.startsWith('*.') && isBelow(name, pattern.slice(2)))

/** Whether all names of a pattern are also names of the other. */
export const isWithin = (pattern: string, wider: string): boolean => coversName(wider, pattern)

export const hasEnded = ({ expiresAt }: Pick<Grant, 'expiresAt'>, now = Date.now()): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

export function kindOf(pattern: string): PatternKind {
  if (pattern === '*') return 'whole'
  if (pattern === '@') return 'apex'
  return pattern.startsWith('*.') ? 'below' : 'name'
}

/** The pattern of a choice; `name` is a part of a zone, as `dev` or `dev.example.com`. */
export function patternOf(kind: PatternKind, name: string, domain: string): string {
  if (kind === 'whole') return '*'
  const relative = typedName(name, domain)
  if (kind === 'apex') return '@'
  if (kind === 'name') return relative
  // Below the domain itself is everything below it; of that the whole is the only pattern.
  return relative === '@' ? '*' : `*.${relative.replace(/^\*\./, '')}`
}

/** The name within a zone of what somebody typed: with or without the domain, in any case, with a final dot or not. */
export function typedName(typed: string, domain: string): string {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  return name === '' ? '@' : (nameInZone(name, domain) ?? name)
}

/** Types that need rights on a name and everything below it; at the apex no assignment allows them. */
const REDIRECTING = new Set(['NS', 'DNAME', 'DS', 'CDS', 'CDNSKEY', 'CSYNC'])

/** The assignment that lets records of that name and type be changed. */
function allowing<G extends Grant>(grants: readonly G[], name: string, type: string): G | undefined {
  const ofType = grants.filter(
    ({ permission, recordTypes }) =>
      permission === 'write' && (recordTypes === null || recordTypes.includes(type)),
  )
  const allows = ofType.find(({ subdomainPattern }) => coversName(subdomainPattern, name))
  if (!REDIRECTING.has(type) || allows === undefined) return allows
  const isBelow = ({ subdomainPattern: pattern }: Grant) =>
    pattern === '*' || (pattern.startsWith('*.') && coversName(pattern, `*.${name}`))
  return name !== '@' && ofType.some(isBelow) ? allows : undefined
}

export interface Verdict<G extends Grant> {
  may: 'change' | 'read' | 'nothing'
  /** The assignment that decides. */
  by: G | null
}

/** What assignments let somebody do with records of a name and type at a moment; they add up. */
export function judge<G extends Grant>(
  grants: readonly G[],
  { name, type }: { name: string; type: string },
  now = Date.now(),
): Verdict<G> {
  const counting = grants.filter((grant) => !hasEnded(grant, now))
  const change = allowing(counting, name, type)
  if (change) return { may: 'change', by: change }
  const read = counting.find(({ subdomainPattern }) => coversName(subdomainPattern, name))
  return read ? { may: 'read', by: read } : { may: 'nothing', by: null }
}
