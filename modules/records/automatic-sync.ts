import { AppError } from '../../plugins/errors.ts'
import type { DomainRow } from '../domains/access.ts'
import type { RecordContext } from './apply.ts'
import { syncAsService } from './sync.ts'
import { claimDueSyncs, endSync, scheduleNextSync } from './sync-queries.ts'

/** Domains taken at a time, so that several instances share the work. */
const BATCH = 8
/** Longer than a batch takes. */
const LEASE_SECONDS = 900

/**
 * Syncs the domains that are due, until none is. What was changed at a provider is told as `domain.drift`.
 * `report` hears of what is no fault of a provider.
 */
export async function syncDueDomains(
  context: RecordContext,
  report: (error: unknown, domain: DomainRow) => void,
): Promise<void> {
  for (;;) {
    const domains = await claimDueSyncs(context.db, BATCH, LEASE_SECONDS)
    await Promise.all(
      domains.map(async (domain) => {
        await syncBySelf(context, domain).catch((error: unknown) => report(error, domain))
        await scheduleNextSync(context.db, domain.id)
      }),
    )
    if (domains.length < BATCH) return
  }
}

async function syncBySelf(context: RecordContext, domain: DomainRow): Promise<void> {
  try {
    const { created, updated, deleted } = await syncAsService(context, domain)
    // The first reading of a zone is no change of it.
    const isNews = domain.last_synced_at !== null && created + updated + deleted > 0
    if (isNews) tellDrift(context, domain, { created, updated, deleted, applied: true })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'confirmation_required') await keepForPerson(context, domain, error)
    // A provider that fails was told of by the sync itself; one that is being read by somebody else is fine.
  }
}

/** So much is gone at the provider that a person must say so. */
async function keepForPerson(context: RecordContext, domain: DomainRow, error: AppError): Promise<void> {
  await endSync(context.db, domain.id, error.message)
  if (domain.last_sync_error === error.message) return
  const { created, updated, deleted } = error.extra as { created: number; updated: number; deleted: number }
  tellDrift(context, domain, { created, updated, deleted, applied: false })
}

function tellDrift(
  { events }: RecordContext,
  { id, name }: DomainRow,
  difference: { created: number; updated: number; deleted: number; applied: boolean },
): void {
  events.emit('domain.drift', { metadata: { domainId: id, domainName: name, ...difference }, actorId: null })
}
