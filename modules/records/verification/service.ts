import type { RRsetKey } from '../../../dns/names/rrset.ts'
import { conflict, notFound } from '../../../plugins/http/errors.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import {
  recordScopeOf,
  requireDomain,
  seesAllRecords,
  seesRecord,
  type RecordScope,
} from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { findChange } from '../history/history-queries.ts'
import { beginVerification, findVerification, type VerificationRow } from './queries.ts'
import { areAgreed, verdictOf } from './verdict.ts'

/** What the name servers answer for the names and types of a change that the caller sees. */
export async function readVerification(
  { db }: Pick<RecordContext, 'db'>,
  caller: Caller,
  domainId: string,
  changeId: string,
) {
  const { scope } = await visibleChange({ db }, caller, domainId, changeId)
  return toVerification(changeId, await findVerification(db, changeId), scope)
}

/** Begins to verify an applied change, again if that has ended. Rejects with 409 while it has no outcome, or none was applied. */
export async function verifyChange(
  { db }: Pick<RecordContext, 'db'>,
  caller: Caller,
  domainId: string,
  changeId: string,
) {
  const { scope, change } = await visibleChange({ db }, caller, domainId, changeId)
  if (change.status === 'pending')
    throw conflict('This change is still pending; try again when it has an outcome', {
      reason: 'change_unsettled',
    })
  if (change.status === 'failed')
    throw conflict('Nothing of this change was applied, so there is nothing to verify', {
      reason: 'change_not_applied',
    })
  await beginVerification(db, changeId, domainId)
  return toVerification(changeId, await findVerification(db, changeId), scope)
}

async function visibleChange(
  { db }: Pick<RecordContext, 'db'>,
  caller: Caller,
  domainId: string,
  id: string,
) {
  const scope = recordScopeOf(await requireDomain(db, caller, domainId, 'read'), caller)
  const change = await findChange(db, domainId, scope, id)
  if (!change) throw notFound('change', id)
  return { scope, change }
}

function toVerification(changeId: string, row: VerificationRow | undefined, scope: RecordScope) {
  const isSeen = ({ name, type }: RRsetKey) => seesRecord(scope, { name, type: type as RecordType })
  const servers = (row?.servers ?? []).map((server) => ({ server, ...verdictOf(server, isSeen) }))
  const counted = servers.filter(({ state }) => state !== 'not_comparable')
  return {
    changeId,
    status: statusFor(row, servers, seesAllRecords(scope)),
    agreeing: counted.filter(({ state }) => state === 'agrees').length,
    comparable: counted.length,
    servers: servers.map(({ server: { server, address, port, checkedAt }, state, first }) => ({
      server,
      address,
      port,
      state,
      name: first?.name ?? null,
      recordType: first?.type ?? null,
      answer: first?.answer ?? null,
      checkedAt,
    })),
    startedAt: row?.created_at.toISOString() ?? null,
    endsAt: row?.ends_at.toISOString() ?? null,
    endedAt: row?.ended_at?.toISOString() ?? null,
  }
}

/** What a delegate of a part doesn't see must not fail what they see. */
function statusFor(
  row: VerificationRow | undefined,
  verdicts: readonly ReturnType<typeof verdictOf>[],
  seesAll: boolean,
): VerificationRow['status'] | 'none' {
  if (!row) return 'none'
  const isOpen = row.status === 'waiting' || row.status === 'failed'
  return isOpen && !seesAll && areAgreed(verdicts) ? 'verified' : row.status
}
