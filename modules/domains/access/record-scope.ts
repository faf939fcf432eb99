import { coversName, coversSubtree } from '../../../dns/names/name-patterns.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'

/** What a current permission grants. */
export interface Grant {
  /** See dns/names/name-patterns. */
  pattern: string
  permission: 'read' | 'write'
  /** Types that may be changed; null: all. */
  recordTypes: readonly RecordType[] | null
}

/** Records of a domain that a caller sees and may change. */
export interface RecordScope {
  /** Patterns of visible names; null: all. */
  seen: readonly string[] | null
  /** Permissions to write; null: everything. */
  changeable: readonly Grant[] | null
  /** Restrictions of the caller's token on both; null: none. */
  token: { namePatterns: readonly string[] | null; recordTypes: readonly RecordType[] | null }
}

interface Placed {
  name: string
  type: RecordType
}

export const seesName = ({ seen, token }: RecordScope, name: string): boolean =>
  [seen, token.namePatterns].every((patterns) => patterns === null || coversName(patterns, name))

/** Whether all names of the domain are visible. */
const seesAllNames = ({ seen, token }: RecordScope): boolean =>
  [seen, token.namePatterns].every((patterns) => patterns === null || patterns.includes('*'))

/** Whether all records of the domain are visible. */
export const seesAllRecords = (scope: RecordScope): boolean =>
  seesAllNames(scope) && scope.token.recordTypes === null

/** The value of `sightOf` if all records are visible. */
export const EVERYTHING = '*'

/** Returns a value that identifies the visible records, to compare later. */
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

/** Whether the caller may change records of any type at that name. */
export const mayChangeSome = (scope: RecordScope, name: string): boolean =>
  seesName(scope, name) &&
  (scope.changeable === null ||
    coversName(
      scope.changeable.map(({ pattern }) => pattern),
      name,
    ))

const REDIRECTING: ReadonlySet<string> = new Set<RecordType>(['NS', 'DNAME', 'DS', 'CDS', 'CDNSKEY', 'CSYNC'])

/**
 * Types that delegate everything below a name or its signatures. They require permission on the name and everything
 * below; at the apex only the owner and administrators may change them.
 */
export const redirects = (type: RecordType): boolean => REDIRECTING.has(type)
