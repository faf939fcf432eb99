import { ProviderError } from '../../providers/contract.ts'
import type { RecordContext } from '../apply/apply.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import { reconcileGivenUp } from './given-up.ts'
import { reconcilePending } from './pending.ts'
import {
  claimDueChange,
  findConnectionsToReconcile,
  postponeChanges,
  releaseChanges,
} from './reconcile-queries.ts'

/** Accounts at providers whose changes are settled at the same time, on each instance. */
const ACCOUNTS_AT_ONCE = 8

/** When the provider can't be asked. */
export const PAUSE_SECONDS = 30

/** Settles the changes of which nobody knows how they ended; a provider that hangs keeps none but its own waiting. */
export interface Reconciler {
  /** Begins with the accounts in which a change waits, and which nobody here is at work on. */
  begin(): Promise<void>
  /** Begins with no other change. */
  stop(): void
  /** Ends after the changes that are being settled now. */
  end(): Promise<void>
}

/** `report` hears of what could not be settled yet, and why. */
export function createReconciler(
  context: RecordContext,
  report: (error: unknown, subject: { changeId?: string; providerConfigId: string }) => void,
): Reconciler {
  const { db } = context
  const busy = new Map<string, Promise<void>>()
  const ending = new AbortController()

  /** One change after the other, until none is left or the account can't be asked. */
  async function reconcileConnection(providerConfigId: string): Promise<void> {
    while (!ending.signal.aborted) {
      const change = await claimDueChange(db, providerConfigId, LEASE_SECONDS)
      if (!change) return
      context.openChanges.add(change.id)
      try {
        await (change.status === 'pending' ? reconcilePending : reconcileGivenUp)(context, change)
      } catch (error) {
        // The next start looks at once.
        if (ending.signal.aborted) return void (await releaseChanges(db, [change.id]))
        report(error, { changeId: change.id, providerConfigId })
        // The next would wait for the same answer in vain.
        if (concernsAccount(error)) {
          await postponeChanges(db, providerConfigId, { failed: change.id, seconds: PAUSE_SECONDS })
          return
        }
      } finally {
        context.openChanges.delete(change.id)
      }
    }
  }

  return {
    async begin() {
      const limit = ACCOUNTS_AT_ONCE - busy.size
      if (limit === 0 || ending.signal.aborted) return
      for (const id of await findConnectionsToReconcile(db, { except: [...busy.keys()], limit })) {
        const work = reconcileConnection(id)
          .catch((error: unknown) => report(error, { providerConfigId: id }))
          .finally(() => busy.delete(id))
        busy.set(id, work)
      }
    },
    stop: () => ending.abort(),
    async end() {
      ending.abort()
      await Promise.all(busy.values())
    },
  }
}

/** Whether a failure says something about the whole account, not only about one zone or record. */
const concernsAccount = (error: unknown): boolean =>
  error instanceof ProviderError && !['not_found', 'conflict', 'rejected'].includes(error.kind)
