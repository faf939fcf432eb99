import { ProviderError } from '../../providers/contract.ts'
import type { RecordContext } from '../context.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import { reconcileGivenUp } from './given-up.ts'
import type { QueueOptions } from '../../../plugins/work/queue.ts'
import { reconcilePending } from './pending.ts'
import {
  changesDue,
  claimDueChange,
  findConnectionsToReconcile,
  postponeChanges,
  releaseChanges,
} from './reconcile-queries.ts'
import { longestWaits } from './times.ts'

/** Provider connections whose changes are reconciled at the same time on one instance. */
const CONCURRENCY = 8

/** Delay after the provider couldn't be asked. */
const PAUSE_SECONDS = 30

/** `error`: why a change could not be reconciled yet. */
type Report = (error: unknown, subject: { changeId?: string; providerConfigId: string }) => void

/**
 * The queue of provider connections with changes to reconcile. Instances share the changes of one; a provider that
 * hangs holds up no other.
 */
export const reconcileQueue = (context: RecordContext, report: Report): QueueOptions<string> => ({
  name: 'changes',
  concurrency: CONCURRENCY,
  pollSeconds: context.reconcileTimes.sweep,
  dueTimes: [changesDue(longestWaits(context.reconcileTimes, PAUSE_SECONDS))],
  claim: (limit, running) => findConnectionsToReconcile(context.db, { except: running, limit }),
  run: (providerConfigId, { stopping }) => reconcileConnection(context, report, providerConfigId, stopping),
  async backoff(providerConfigId, error) {
    report(error, { providerConfigId })
    return 'later'
  },
})

/**
 * Reconciles one change after the other, each with a claim of its own, until none is left or the provider
 * can't be asked.
 */
async function reconcileConnection(
  context: RecordContext,
  report: Report,
  providerConfigId: string,
  stopping: AbortSignal,
): Promise<'later' | void> {
  const { db } = context
  while (!stopping.aborted) {
    const change = await claimDueChange(db, providerConfigId, LEASE_SECONDS)
    if (!change) return
    context.openChanges.add(change.id)
    try {
      await (change.status === 'pending' ? reconcilePending : reconcileGivenUp)(context, change)
    } catch (error) {
      // Reconciled right after the next start.
      if (stopping.aborted) return void (await releaseChanges(db, [change.id]))
      report(error, { changeId: change.id, providerConfigId })
      // The next change would fail the same way.
      if (concernsConnection(error)) {
        await postponeChanges(db, providerConfigId, { failed: change.id, seconds: PAUSE_SECONDS })
        return 'later'
      }
    } finally {
      context.openChanges.delete(change.id)
    }
  }
}

/** Whether a failure concerns the whole provider connection, not only one zone or record. */
const concernsConnection = (error: unknown): boolean =>
  error instanceof ProviderError && !['not_found', 'conflict', 'rejected'].includes(error.kind)
