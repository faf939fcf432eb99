import { rrsetKey } from '../../../dns/names/rrset.ts'
import type { RecordContent } from './change.ts'

/** A set of records of one name and type that a write is about. */
export type SetKey = Pick<RecordContent, 'name' | 'type'> & Partial<Pick<RecordContent, 'routing'>>

/** Values at the provider, next to those that were written, which were not known here. */
export interface UnknownValues extends SetKey {
  values: readonly string[]
}

/** Values of the sets that are known here, by `rrsetKey`. */
export type KnownValues = ReadonlyMap<string, readonly string[]>

export const knownValues = (records: readonly (SetKey & { value: string })[]): KnownValues =>
  new Map([...Map.groupBy(records, rrsetKey)].map(([key, set]) => [key, set.map(({ value }) => value)]))
