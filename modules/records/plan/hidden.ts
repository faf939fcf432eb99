import type { Executor } from '../../../db/connection/connect.ts'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import { conflict, type AppError } from '../../../plugins/http/errors.ts'
import { seesRecord, type RecordScope } from '../../domains/access/access.ts'
import { ancestorsOf, hiddenBy, type HiddenBy, type Neighbour } from './neighbour-warnings.ts'
import { findRedirections } from '../list/queries.ts'

/**
 * Finds delegations and DNAMEs that hide records from resolvers, by `rrsetKey`. Programs check this first: otherwise they
 * would report success for a record that nobody can resolve.
 */
export async function findHidden(
  db: Executor,
  domainId: string,
  records: readonly Neighbour[],
): Promise<Map<string, HiddenBy>> {
  const names = new Set(records.flatMap(({ name }) => [...ancestorsOf(name), '@']))
  const above = await findRedirections(db, domainId, [...names])
  const ofName = Map.groupBy(above, ({ name }) => name)
  return new Map(
    records.flatMap((record) => {
      const near = [...ancestorsOf(record.name), '@'].flatMap((name) => ofName.get(name) ?? [])
      const hiding = hiddenBy(record, near)
      return hiding === null ? [] : [[rrsetKey(record), hiding] as const]
    }),
  )
}

/** Returns a 409. The hiding record is named only if it lies within `scope`. */
export function hiddenError(
  { name, type }: Pick<Neighbour, 'name' | 'type'>,
  { code, above }: HiddenBy,
  scope?: RecordScope,
): AppError {
  const redirection = code === 'hidden_by_dname' ? 'DNAME' : 'NS'
  const isSeen = scope !== undefined && seesRecord(scope, { name: above, type: redirection })
  const what = redirection === 'NS' ? 'a delegation' : 'a DNAME'
  const detail = `${name} ${type} would not resolve because ${what}${isSeen ? ` at ${above}` : ''} hides it`
  return conflict(detail, { reason: code, params: { name, recordType: type, ...(isSeen && { above }) } })
}
