import { coversName } from '../../dns/name-patterns.ts'
import type { RecordType } from '../../schemas/record-type.ts'

/** What one assignment that counts at this moment gives. */
export interface Grant {
  /** See dns/name-patterns. */
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

/**
 * Whether such a record may be there by their doing, and be changed by them. To whom NS at the apex are assigned
 * must be said: they decide who answers for the whole zone.
 */
export const mayChange = (scope: RecordScope, record: Placed): boolean =>
  seesRecord(scope, record) &&
  (scope.changeable === null ||
    scope.changeable.some(
      ({ pattern, recordTypes }) =>
        coversName([pattern], record.name) &&
        (recordTypes === null ? !isApexNs(record) : recordTypes.includes(record.type)),
    ))

const isApexNs = ({ name, type }: Placed) => name === '@' && type === 'NS'
