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
  seesAllRecords,
  seesName,
  seesRecord,
  sightOf,
  type Grant,
  type RecordScope,
} from './record-scope.ts'

/** A domain with the caller's permissions; none for its owner and administrators. */
export type GrantedDomain = DomainRow & { grants: readonly Grant[] }

/** Access levels, from most to least. */
type DomainAccess = Domain['access']

/**
 * What a call requires: reading or writing at least part of the domain; reading or writing all of its records; or
 * managing the domain itself.
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

/** Whether the user may do everything with the domain, regardless of the token. */
export const hasAllRights = ({ owner_id }: { owner_id: string }, { role, userId }: Principal): boolean =>
  role === 'admin' || owner_id === userId

/** What a token restricted to some records still allows. */
const OF_PARTS: ReadonlySet<Need> = new Set(['read', 'write'])

/** Returns the caller's access level; `grants` as in GrantedDomain. */
export function accessTo(
  row: { owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
): DomainAccess {
  const isWhole = !narrowsRecords(principal)
  if (row.owner_id === principal.userId) return isWhole ? 'owner' : 'write'
  if (principal.role === 'admin') return isWhole ? 'admin' : 'write'
  return row.grants?.some(SUFFICIENT.write) ? 'write' : 'read'
}

/** Whether the caller's access to the domain suffices. */
export const isSufficient = (
  domain: { owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
  need: Need,
): boolean =>
  (OF_PARTS.has(need) || !narrowsRecords(principal)) &&
  (hasAllRights(domain, principal) || (domain.grants ?? []).some(SUFFICIENT[need]))

/**
 * The rule of visibility. access-queries.ts has it in several SQL forms; test/domains/access/visibility.test.ts holds
 * them against this rule, and those of records against `seesRecord`.
 */
export const seesDomain = (
  domain: { id: string; owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
): boolean =>
  (principal.token?.restrictions.domainIds?.includes(domain.id) ?? true) &&
  (hasAllRights(domain, principal) || (domain.grants ?? []).some(SUFFICIENT.read))

/** Returns what the caller sees and may change of a visible domain. */
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

/** Whether the caller sees every record of the domain, with their token. */
export const seesWhole = (
  domain: { owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
): boolean => seesAllRecords(recordScopeOf({ grants: [], ...domain }, principal))

/** The notes, for callers who see the whole domain. */
export const shownNotes = (
  domain: { owner_id: string; notes: string; grants?: readonly Grant[] },
  principal: Principal,
): string => (seesWhole(domain, principal) ? domain.notes : '')

/** The error of the last sync; hidden from delegates of a part, because a provider's message may name any record. */
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
 * Returns the domain if the caller has the required access. Rejects with 404 if it is not visible, 403 otherwise.
 * `lock` locks the row.
 */
export async function requireDomain(
  db: Executor,
  principal: Principal & WithKey,
  id: string,
  need: Need,
  options: { lock?: boolean } = {},
): Promise<GrantedDomain> {
  const row = await findVisibleDomain(db, principal, id, options)
  // Read after the row, so that a caller who waited for the lock gets current permissions.
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

/** Rejects if the caller lost access on which an earlier response relied, or now sees less. */
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
