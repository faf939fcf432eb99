import type { StoredAlternative } from '../../db/tables/index.ts'
import type { ServedRow } from './queries.ts'

/** Whether a change of the records is not finished. */
export const isUnsettled = (rows: readonly ServedRow[]): boolean =>
  rows.some(({ status, deleting }) => status === 'pending' || deleting)

/** Position of the alternative that the stored records are; null if they match none. */
export function servedAmong(
  rows: readonly ServedRow[],
  alternatives: readonly StoredAlternative[],
): number | null {
  if (rows.some(({ enabled, routing }) => !enabled || routing !== null)) return null
  const stored = new Set(rows.map(({ value }) => value))
  const at = alternatives.findIndex(
    ({ values }) => values.length === stored.size && values.every((value) => stored.has(value)),
  )
  return at === -1 ? null : at
}
