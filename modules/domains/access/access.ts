import type { Executor } from '../../../db/connection/connect.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { forbidden, notFound } from '../../../plugins/http/errors.ts'
import { reliesOn } from '../../../plugins/http/idempotency/key.ts'
import type { Reliance, WithKey } from '../../../plugins/http/idempotency/keyed-request.ts'
import type { Domain } from '../../../schemas/domain.ts'
import { HIDDEN_CODE, HIDDEN_REASON } from '../../../schemas/events/event-entry.ts'
import { findGrants, findVisibleDomain, narrowsRecords, type DomainRow } from './access-queries.ts'
import { EVERYTHING, seesAllRecords, sightOf, type Grant, type RecordScope } from './record-scope.ts'

export {
  domainsOf,
  domainsOfToken,
  EVERYONE,
  isWhole as seesWholeDomain,
  narrowsRecords,
  placesInScope,
  ownDomainsOf,
  recordsInScope,
  recordsVisibleIn,
  recordsVisibleTo,
  viewersOf,
  visibleRecordVersion,
  visibleTo,
  visibleUnmanagedCount,
  type DomainRow,
} from './access-queries.ts'
export { grantsOf } from './assigned-queries.ts'
export {
  EVERYTHING,
  mayChange,
  redirects,
  seesAllNames,
  seesAllRecords,
  seesName,
  seesRecord,
  sightOf,
  type Grant,
  type RecordScope,
} from './record-scope.ts'

/** A domain together with what was assigned of it to the caller; nothing to its owner and administrators. */
export type GrantedDomain = DomainRow & { grants: readonly Grant[] }

/** What somebody is to a domain, from most to least. */
type DomainAccess = Domain['access']

/**
 * What a call needs: to see the domain or change records of it, at least in part; to see or to change all
 * of its records; or to dispose of the domain itself.
 */
type Need = 'read' | 'write' | 'readAll' | 'writeAll' | 'manage'

const isWhole = ({ pattern }: Grant) => pattern === '*'
const SUFFICIENT: Record<Need, (grant: Grant) => boolean> = {
  read: () => true,
  write: ({ permission }) => permission === 'write',
  readAll: isWhole,
  writeAll: (grant) => isWhole(grant) && grant.permission === 'write' && grant.recordTypes === null,
  manage: () => false,
}

/** Whether all of the domain is the user's, to see, change and dispose of, whatever their token shows of it. */
const hasAllRights = ({ owner_id }: { owner_id: string }, { role, userId }: Principal): boolean =>
  role === 'admin' || owner_id === userId

/** What a token that shows a part of the records still allows. */
const OF_PARTS: ReadonlySet<Need> = new Set(['read', 'write'])

/** What the caller is to a domain; `grants` as in GrantedDomain. */
export function accessTo(
  row: { owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
): DomainAccess {
  const isWhole = !narrowsRecords(principal)
  if (row.owner_id === principal.userId) return isWhole ? 'owner' : 'write'
  if (principal.role === 'admin') return isWhole ? 'admin' : 'write'
  return row.grants?.some(SUFFICIENT.write) ? 'write' : 'read'
}

/** Whether what the caller is to the domain is enough for that. */
export const isSufficient = (
  domain: { owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
  need: Need,
): boolean =>
  (OF_PARTS.has(need) || !narrowsRecords(principal)) &&
  (hasAllRights(domain, principal) || (domain.grants ?? []).some(SUFFICIENT[need]))

/**
 * The rule of who sees a domain. What queries.ts files select by says the same in SQL; a test holds those forms against
 * this rule, and those of records against `seesRecord`.
 */
export const seesDomain = (
  domain: { id: string; owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
): boolean =>
  (principal.token?.restrictions.domainIds?.includes(domain.id) ?? true) &&
  (hasAllRights(domain, principal) || (domain.grants ?? []).some(SUFFICIENT.read))

/** What the caller sees and may change of a domain that they see. */
export function recordScopeOf(
  domain: { owner_id: string; grants: readonly Grant[] },
  principal: Principal,
): RecordScope {
  const { namePatterns = null, recordTypes = null } = principal.token?.restrictions ?? {}
  const token = { namePatterns, recordTypes }
  if (hasAllRights(domain, principal)) return { seen: null, changeable: null, token }
  const { grants } = domain
  return {
    seen: grants.some(isWhole) ? null : grants.map(({ pattern }) => pattern),
    changeable: grants.filter(SUFFICIENT.write),
    token,
  }
}

/** Whether no record of the domain is hidden from the caller, nor by the token that they come with. */
const seesWhole = (domain: { owner_id: string; grants?: readonly Grant[] }, principal: Principal): boolean =>
  seesAllRecords(recordScopeOf({ grants: [], ...domain }, principal))

/** What stands in the notes, for those who see the whole domain. */
export const shownNotes = (
  domain: { owner_id: string; notes: string; grants?: readonly Grant[] },
  principal: Principal,
): string => (seesWhole(domain, principal) ? domain.notes : '')

/** Why the last sync failed, or only that it did: the words of a provider may name any record. */
export function shownSyncError(
  domain: FailedSync & { owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
): FailedSync {
  const { last_sync_error, last_sync_error_code, last_sync_error_params } = domain
  if (last_sync_error === null || seesWhole(domain, principal))
    return { last_sync_error, last_sync_error_code, last_sync_error_params }
  return {
    last_sync_error: HIDDEN_REASON,
    last_sync_error_code: HIDDEN_CODE,
    last_sync_error_params: null,
  }
}

type FailedSync = Pick<DomainRow, 'last_sync_error' | 'last_sync_error_code' | 'last_sync_error_params'>

/**
 * The domain, when the caller may do that with it. 404 when they may not see it, 403 when they see it
 * and may not. With `lock` the row is held to the end of the transaction.
 */
export async function requireDomain(
  db: Executor,
  principal: Principal & WithKey,
  id: string,
  need: Need,
  options: { lock?: boolean } = {},
): Promise<GrantedDomain> {
  const row = await findVisibleDomain(db, principal, id, options)
  // After the row, not with it: who waited for the lock has the rights of after the wait.
  const domain = row && {
    ...row,
    grants: hasAllRights(row, principal) ? [] : await findGrants(db, principal, id),
  }
  if (!domain || !seesDomain(domain, principal)) throw notFound('domain', id)
  if (!isSufficient(domain, principal, need)) {
    throw forbidden(`Your permission on ${domain.name} does not allow this`)
  }
  reliesOn(principal, { domainId: domain.id, need, sight: sightOf(recordScopeOf(domain, principal)) })
  return domain
}

/** Rejects where the caller no longer has the access to a domain that an answer was given by, or sees less of it. */
export async function requireSameAccess(
  db: Executor,
  principal: Principal,
  restsOn: readonly Reliance[],
): Promise<void> {
  for (const { domainId, need, sight } of restsOn) {
    const domain = await requireDomain(db, principal, domainId, need as Need)
    const now = sightOf(recordScopeOf(domain, principal))
    if (now !== EVERYTHING && now !== sight) {
      throw forbidden(
        `Your permission on ${domain.name} has changed since the first request, so its response is no longer returned`,
      )
    }
  }
}
