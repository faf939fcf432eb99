import { SYSTEM, type Actor } from '../../../plugins/security/access/index.ts'
import { claimCheck, lockDomain, noteCheck } from './check-queries.ts'
import type { ExpiryContext } from './context.ts'
import { orError, storeResult } from './service.ts'

const ACTOR: Actor = { ...SYSTEM, username: 'automatic look-up' }

/** Asked at the same time; of one registry still one after the other, by its pace. */
const AT_ONCE = 4
/** One run ends before the next is due, so that a stop of the service need not wait. */
const RUN_MS = 45_000
/** A registry that has this long to wait for is asked another day. */
const MAX_WAIT_MS = 30_000
/** After a fault of ours. */
const PAUSE_MS = 600_000

/** Looks up the domains that are due, gently: each registry at its pace, the rest at the next run. */
export async function runChecks(context: ExpiryContext, signal?: AbortSignal): Promise<void> {
  const { db, leases } = context
  const end = performance.now() + RUN_MS
  const goesOn = () => performance.now() < end && !signal?.aborted
  const worker = async () => {
    while (goesOn()) {
      const domain = await claimCheck(db, leases.holder)
      if (!domain) return
      leases.keep('expiry_check', domain.id)
      try {
        await checkOne(context, domain, signal)
      } catch (error) {
        await noteCheck(db, domain.id, { expiry_check_due_at: new Date(Date.now() + PAUSE_MS) })
        throw error
      } finally {
        await leases.end('expiry_check', domain.id)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function checkOne(
  { db, registries, log }: ExpiryContext,
  { id, name }: { id: string; name: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = { maxWaitMs: MAX_WAIT_MS, ...(signal && { signal }) }
  const result = await orError(registries.lookUp(name, options))
  // Stopped, not failed: another instance takes it.
  if (signal?.aborted) return
  if (result instanceof Error) log.info({ domainId: id, reason: result.message }, 'expiry not found')
  await db.transaction().execute(async (trx) => {
    const row = await lockDomain(trx, id)
    // Deleted, or turned off while it was looked up.
    if (row?.auto_check_expiry) await storeResult(trx, ACTOR, row, result)
  })
}
