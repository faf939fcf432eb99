import type { Caller } from '../../../plugins/security/access/index.ts'
import { recordScopeOf, requireDomain } from '../../domains/access/access.ts'
import type { RecordContext } from '../apply/apply.ts'
import { countUnmanaged, listUnmanaged } from './unmanaged-queries.ts'

/** Records of types that are not managed here, as the last sync saw them. */
export async function readUnmanaged(
  { db }: RecordContext,
  caller: Caller,
  domainId: string,
  { page, limit }: { page: number; limit: number },
) {
  const scope = recordScopeOf(await requireDomain(db, caller, domainId, 'read'), caller)
  const [rows, total] = await Promise.all([
    listUnmanaged(db, domainId, scope, { limit, offset: (page - 1) * limit }),
    countUnmanaged(db, domainId, scope),
  ])
  const records = rows.map(({ name, type, ttl, value }) => ({ name, recordType: type, ttl, value }))
  return { records, total, page, limit }
}
