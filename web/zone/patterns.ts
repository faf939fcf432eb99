import { isBelow, relativeName as nameInZone } from '../../dns/names/names.ts'

/** What permissions allow, by the rules of the service; the service decides. */

/** The part of a permission that decides. */
export interface Grant {
  /** `*` all names with the apex, `@` the apex, `app` only that name, `*.dev` all names below dev but not dev itself. */
  subdomainPattern: string
  permission: 'read' | 'write'
  /** Types that may be edited; null: all. */
  recordTypes: readonly string[] | null
  /** UTC; null: never. */
  expiresAt: string | null
}

export type PatternKind = 'whole' | 'apex' | 'name' | 'below'

/** Whether a relative name is covered by a pattern; both are canonical. */
export const coversName = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.startsWith('*.') && isBelow(name, pattern.slice(2)))

/** Whether the wider pattern covers every name of the first. */
export const isWithin = (pattern: string, wider: string): boolean => coversName(wider, pattern)

export const hasEnded = ({ expiresAt }: Pick<Grant, 'expiresAt'>, now = Date.now()): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

export function kindOf(pattern: string): PatternKind {
  if (pattern === '*') return 'whole'
  if (pattern === '@') return 'apex'
  return pattern.startsWith('*.') ? 'below' : 'name'
}

/** Pattern of a choice; `name` is relative or full: `dev`, `dev.example.com`. */
export function patternOf(kind: PatternKind, name: string, domain: string): string {
  if (kind === 'whole') return '*'
  const relative = typedName(name, domain)
  if (kind === 'apex') return '@'
  if (kind === 'name') return relative
  // Below the apex is the whole zone, which has a pattern of its own.
  return relative === '@' ? '*' : `*.${relative.replace(/^\*\./, '')}`
}

/** Relative name of typed text: with or without the domain, any case, with or without a final dot. */
export function typedName(typed: string, domain: string): string {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  return name === '' ? '@' : (nameInZone(name, domain) ?? name)
}

/** Types that need permission for a name and everything below it; no permission allows them at the apex. */
const REDIRECTING = new Set(['NS', 'DNAME', 'DS', 'CDS', 'CDNSKEY', 'CSYNC'])

/** The permission that allows editing records of this name and type. */
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
  /** The deciding permission. */
  by: G | null
}

/** What permissions together allow for a name and type at a time. */
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
