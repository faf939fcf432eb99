import type { Executor } from '../../../db/connection/connect.ts'
import { keepingResult, once } from '../../../plugins/http/idempotency/key.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { recordAudit } from '../../audit/service.ts'
import type { RecordContext } from '../context.ts'
import { readChange } from '../history/history.ts'
import { markNow, type ScheduledRow } from './queries.ts'
import { auditOf, lockScheduled, mayNotWriteAll, notScheduled } from './schedule.ts'
import { applyScheduled } from './scheduler.ts'

/**
 * Applies a scheduled change now instead of at its time: as its author, who must still be allowed to, and once, also if its
 * time comes meanwhile. For callers with write permission for all of it; 404 for those who don't see all of it. Returns what
 * became of it; a change too large for a request is applied soon.
 */
export async function applyNow(context: RecordContext, caller: Caller, domainId: string, id: string) {
  const { db, operations } = context
  let due: ScheduledRow | null = null
  const take = async (trx: Executor) => {
    const { domain, row, mayWriteAll } = await lockScheduled(trx, caller, domainId, id)
    if (!mayWriteAll) throw mayNotWriteAll()
    const here = row.steps.length <= operations.largeChange
    const taken = await markNow(trx, id, { here })
    if (!taken) throw notScheduled(row)
    await recordAudit(trx, caller, auditOf('change.applied', domain, { changeId: id }))
    if (here) due = taken
    return { changeId: id }
  }
  await once(caller, () => keepingResult(db, caller, take))
  if (due !== null) await applyScheduled(context, due)
  return readChange(context, caller, domainId, id, { unchanged: false })
}
