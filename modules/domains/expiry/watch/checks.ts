import { SYSTEM, type Actor } from '../../../../plugins/security/access/index.ts'
import { levelOf } from '../../../../plugins/http/logging.ts'
import type { QueueOptions } from '../../../../plugins/work/queue.ts'
import { claimChecks, lockDomain, noteCheck, type DueCheck } from './check-queries.ts'
import type { ExpiryContext } from '../context.ts'
import { orError, storeResult } from '../service.ts'

const ACTOR: Actor = { ...SYSTEM, username: 'automatic look-up' }

/** Concurrent look-ups; each registry still has its own pace. */
const CONCURRENCY = 4
/** With a longer wait, the look-up is postponed to another day. */
const MAX_WAIT_MS = 30_000
/** Retry delay after an internal error. */
const PAUSE_MS = 600_000

/** The queue of domains whose expiry date is to be looked up, woken by a scheduled task. */
export const checkQueue = (context: ExpiryContext): QueueOptions<DueCheck> => ({
  name: 'expiry.checks',
  concurrency: CONCURRENCY,
  claim: (limit) => claimChecks(context.db, context.leases.holder, limit),
  ...context.leases.ofQueue('expiry_check', ({ id }: DueCheck) => id),
  run: (domain, { stopping }) => checkOne(context, domain, stopping),
  async backoff({ id }, error) {
    context.log[levelOf(error)]({ err: error, domainId: id }, 'expiry check failed')
    await noteCheck(context.db, id, { expiry_check_due_at: new Date(Date.now() + PAUSE_MS) })
    await context.leases.end('expiry_check', id)
  },
})

async function checkOne(
  { db, registries, log }: ExpiryContext,
  { id, name }: DueCheck,
  signal: AbortSignal,
): Promise<void> {
  const result = await orError(registries.lookUp(name, { maxWaitMs: MAX_WAIT_MS, signal }))
  // Shutting down; another instance takes it.
  if (signal.aborted) return
  if (result instanceof Error) log.info({ domainId: id, reason: result.message }, 'expiry not found')
  await db.transaction().execute(async (trx) => {
    const row = await lockDomain(trx, id)
    // The domain was deleted or its look-up turned off meanwhile.
    if (row?.auto_check_expiry) await storeResult(trx, ACTOR, row, result)
  })
}
