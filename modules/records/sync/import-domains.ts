import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, problemOf } from '../../../plugins/http/errors.ts'
import { createDomain } from '../../domains/service.ts'
import { visibleConfig } from '../../providers/configs/service.ts'
import type { RecordContext } from '../context.ts'
import { syncDomain } from './sync.ts'

/** Zones imported at the same time. */
const PARALLEL = 4

/**
 * Registers zones of a provider connection as domains and imports their records. Each zone succeeds or fails
 * on its own.
 */
export async function importDomains(
  context: RecordContext,
  caller: Caller,
  {
    providerConfigId,
    zones,
    zoneIds = {},
  }: { providerConfigId: string; zones: string[]; zoneIds?: Record<string, string> },
  requestId: string,
) {
  await visibleConfig(context.db, caller, providerConfigId)
  const results: Awaited<ReturnType<typeof importDomain>>[] = []
  for (let from = 0; from < zones.length; from += PARALLEL) {
    const batch = zones.slice(from, from + PARALLEL)
    results.push(
      ...(await Promise.all(
        batch.map((zone) =>
          importDomain(context, caller, { providerConfigId, zone, zoneId: zoneIds[zone], requestId }),
        ),
      )),
    )
  }
  return { results, total: zones.length, succeeded: results.filter(({ success }) => success).length }
}

async function importDomain(
  context: RecordContext,
  caller: Caller,
  {
    providerConfigId,
    zone,
    zoneId,
    requestId,
  }: { providerConfigId: string; zone: string; zoneId: string | undefined; requestId: string },
) {
  let domainId: string | null = null
  try {
    const which = zoneId === undefined ? {} : { zoneId }
    const domain = await createDomain(context, caller, { name: zone, providerConfigId, ...which })
    domainId = domain.id
    const { report } = await syncDomain(context, caller, domain.id, {
      dryRun: false,
      force: false,
      // The other zones of the request wait for it.
      budgets: 1,
    })
    return {
      zone,
      success: true,
      domainId,
      synced: report.synced,
      unmanaged: report.skipped,
      error: null,
      problem: null,
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problem = problemOf(error, { id: requestId })
    const nothing = { synced: null, unmanaged: null }
    return { zone, success: false, domainId, ...nothing, error: error.message, problem }
  }
}
