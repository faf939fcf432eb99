import { AppError } from '../../../plugins/http/errors.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { announceDifferences } from './drift/announce.ts'
import { syncInBackground } from './sync.ts'
import { MuchIsGone } from './sync-report.ts'
import { claimDueSyncs, endSync, scheduleNextSync } from './sync-queries.ts'

/** Domains claimed at a time, so that several instances share the work. */
const BATCH = 8

/**
 * Syncs the domains that are due, until none is left. Changes found at a provider are announced as `domain.drift`.
 * `report`: called with failures that are not the provider's.
 */
export async function syncDueDomains(
  context: RecordContext,
  report: (error: unknown, domain: DomainRow) => void,
): Promise<void> {
  for (;;) {
    const domains = await claimDueSyncs(context.db, BATCH, context.leases.holder)
    await Promise.all(
      domains.map(async (domain) => {
        context.leases.keep('sync', domain.id)
        try {
          await syncBySelf(context, domain).catch((error: unknown) => report(error, domain))
          // A sync ended by the stop stays due.
          if (!context.stopping.begun.aborted) await scheduleNextSync(context.db, domain.id)
        } finally {
          await context.leases.end('sync', domain.id)
        }
      }),
    )
    if (domains.length < BATCH || context.stopping.begun.aborted) return
  }
}

async function syncBySelf(context: RecordContext, domain: DomainRow): Promise<void> {
  try {
    await syncInBackground(context, domain)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error instanceof MuchIsGone) await keepForPerson(context, domain, error)
    // The sync itself has announced a failure of the provider. A sync already in progress is fine.
  }
}

async function keepForPerson({ db }: RecordContext, domain: DomainRow, error: MuchIsGone): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { message, deleted, known } = error
    await endSync(trx, domain.id, { message, code: 'many_deletions', params: { deleted, known } })
    if (domain.last_sync_error === error.message) return
    await announceDifferences(trx, domain, error.differences, { applied: false })
  })
}
