import type { RecordType, StoredAlternative } from '../../db/tables/index.ts'

/** Types whose values are addresses or names of servers. */
const CHECKABLE: ReadonlySet<RecordType> = new Set<RecordType>(['A', 'AAAA', 'CNAME', 'ALIAS'])

/** Whether the values of the type are checked, unless targets are given. */
export const hasOwnTargets = (type: RecordType): boolean => CHECKABLE.has(type)

/** What is checked of an alternative: addresses, and names without a final dot. */
export const targetsOf = ({ values, targets }: StoredAlternative): string[] =>
  (targets ?? values).map((target) => target.replace(/\.$/, ''))
