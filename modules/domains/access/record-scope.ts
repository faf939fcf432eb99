import { coversName, coversSubtree } from '../../../dns/names/name-patterns.ts'
import type { RecordType } from '../../../schemas/record-type.ts'

/** What one assignment that counts at this moment gives. */
export interface Grant {
  /** See dns/names/name-patterns. */
  pattern: string
  permission: 'read' | 'write'
  /** What may be changed; null: all types. */
  recordTypes: readonly RecordType[] | null
}

/** Which records of a domain somebody sees and may change. */
export interface RecordScope {
  /** Patterns of the names that are seen; null: all. */
  seen: readonly string[] | null
  /** What may be changed; null: all. */
  changeable: readonly Grant[] | null
  /** Both are narrowed by the token that the caller comes with; null narrows nothing. */
  token: { namePatterns: readonly string[] | null; recordTypes: readonly RecordType[] | null }
}

interface Placed {
  name: string
  type: RecordType
}

export const seesName = ({ seen, token }: RecordScope, name: string): boolean =>
  [seen, token.namePatterns].every((patterns) => patterns === null || coversName(patterns, name))

/** Whether no name of the domain is hidden from them. */
export const seesAllNames = ({ seen, token }: RecordScope): boolean =>
  [seen, token.namePatterns].every((patterns) => patterns === null || patterns.includes('*'))

/** Whether no record of the domain is hidden from them. */
export const seesAllRecords = (scope: RecordScope): boolean =>
  seesAllNames(scope) && scope.token.recordTypes === null

/** All records, as a sight. */
export const EVERYTHING = '*'

/** Which records of a domain somebody sees, to compare later: what was answered then names no more. */
export function sightOf(scope: RecordScope): string {
  if (seesAllRecords(scope)) return EVERYTHING
  const seen = [...(scope.seen ?? [])].sort()
  const { namePatterns, recordTypes } = scope.token
  return JSON.stringify((namePatterns ?? recordTypes) ? [seen, scope.token] : seen)
}

export const seesRecord = (scope: RecordScope, { name, type }: Placed): boolean =>
  seesName(scope, name) && (scope.token.recordTypes === null || scope.token.recordTypes.includes(type))

/** Whether the caller may create, change and delete such a record. */
export function mayChange(scope: RecordScope, record: Placed): boolean {
  const { changeable, token } = scope
  if (!seesRecord(scope, record)) return false
  const covers = redirects(record.type) ? coversSubtree : coversName
  if (token.namePatterns !== null && !covers(token.namePatterns, record.name)) return false
  if (changeable === null) return true
  if (redirects(record.type) && record.name === '@') return false
  const patterns = changeable
    .filter(({ recordTypes }) => recordTypes === null || recordTypes.includes(record.type))
    .map(({ pattern }) => pattern)
  return covers(patterns, record.name)
}

/** Whether there is a type of which the caller may change records at that name. */
export const mayChangeSome = (scope: RecordScope, name: string): boolean =>
  seesName(scope, name) &&
  (scope.changeable === null ||
    coversName(
      scope.changeable.map(({ pattern }) => pattern),
      name,
    ))

const REDIRECTING: ReadonlySet<string> = new Set<RecordType>(['NS', 'DNAME', 'DS', 'CDS', 'CDNSKEY', 'CSYNC'])

/**
 * Types that decide who answers for everything below a name, or whose signatures count there. They need rights on the
 * name and everything below it; at the apex only the owner and administrators may change them.
 */
export const redirects = (type: RecordType): boolean => REDIRECTING.has(type)
