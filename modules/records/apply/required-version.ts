import type { Executor } from '../../../db/connection/connect.ts'
import { preconditionFailed } from '../../../plugins/http/if-match.ts'
import type { DomainRow, RecordScope } from '../../domains/access/access.ts'
import { seenVersion } from '../../domains/service.ts'

/** Rejects with 412 where the records that the caller sees are at none of the versions, if there are some. */
export async function requireVersion(
  db: Executor,
  domain: Pick<DomainRow, 'id' | 'name' | 'record_version'>,
  scope: RecordScope,
  versions: readonly number[] | undefined,
): Promise<void> {
  if (versions === undefined || versions.includes(await seenVersion(db, domain, scope))) return
  throw preconditionFailed(`The records of ${domain.name} have changed since the version in \`If-Match\``)
}
