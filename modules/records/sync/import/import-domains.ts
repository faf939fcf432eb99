import type { Caller } from '../../../../plugins/security/access/index.ts'
import { AppError, problemOf } from '../../../../plugins/http/errors.ts'
import { createDomain } from '../../../domains/service.ts'
import { visibleConfig } from '../../../providers/configs/service.ts'
import type { RecordContext } from '../../context.ts'
import { syncDomain } from '../sync.ts'
import { importTogether, TOGETHER } from './together.ts'

/** Zones imported at the same time, if they aren't imported together. */
const PARALLEL = 4

interface ImportRequest {
  providerConfigId: string
  zones: string[]
  zoneIds?: Record<string, string>
}

/**
 * Registers zones of a provider connection as domains and imports their records. Each zone succeeds or fails on its own:
 * small zones without peculiarities are stored together, all others, and those for which that fails, one by one.
 */
export async function importDomains(
  context: RecordContext,
  caller: Caller,
  { providerConfigId, zones, zoneIds = {} }: ImportRequest,
  requestId: string,
) {
  const config = await visibleConfig(context.db, caller, providerConfigId)
  const results: ImportResult[] = []
  for (let from = 0; from < zones.length; from += TOGETHER) {
    const some = zones.slice(from, from + TOGETHER)
    const plain = some.filter((zone) => zoneIds[zone] === undefined)
    const together = await importTogether(context, caller, config, plain)
    const rest = some.filter((zone) => !together.has(zone))
    const single = new Map<string, ImportResult>()
    for (let next = 0; next < rest.length; next += PARALLEL) {
      const imported = await Promise.all(
        rest
          .slice(next, next + PARALLEL)
          .map((zone) =>
            importDomain(context, caller, { providerConfigId, zone, zoneId: zoneIds[zone], requestId }),
          ),
      )
      for (const result of imported) single.set(result.zone, result)
    }
    for (const zone of some) {
      const stored = together.get(zone)
      results.push(stored ? succeeded(zone, stored) : (single.get(zone) as ImportResult))
    }
  }
  return { results, total: zones.length, succeeded: results.filter(({ success }) => success).length }
}

type ImportResult = Awaited<ReturnType<typeof importDomain>>

const succeeded = (
  zone: string,
  { domainId, synced, unmanaged }: { domainId: string; synced: number; unmanaged: number },
) => ({ zone, success: true, domainId, synced, unmanaged, error: null, problem: null })

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
    return succeeded(zone, { domainId, synced: report.synced, unmanaged: report.skipped })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problem = problemOf(error, { id: requestId })
    const nothing = { synced: null, unmanaged: null }
    return { zone, success: false, domainId, ...nothing, error: error.message, problem }
  }
}
