import { violates } from '../../../../db/connection/errors.ts'
import { parseDomainName } from '../../../../dns/names/domain-names.ts'
import { AppError } from '../../../../plugins/http/errors.ts'
import type { Caller } from '../../../../plugins/security/access/index.ts'
import { findZone, registerZones } from '../../../domains/service.ts'
import type { ProviderConfigRow } from '../../../providers/configs/service.ts'
import { ProviderError, type Soa, type Zone } from '../../../providers/contract.ts'
import { openConnection, type ProviderConnection } from '../../../providers/traffic/connection.ts'
import type { RecordContext } from '../../context.ts'
import { readProvider, readZoneSoa, type ProviderRecords } from '../sync-provider.ts'
import { registeredNames } from './first-queries.ts'
import { storeFirst } from './store-first.ts'

/** Zones that are stored together, and their records at most: larger zones are imported on their own. */
export const TOGETHER = 20
const MAX_RECORDS = 500

/** Zones read at the same time. */
const PARALLEL = 4

interface Imported {
  domainId: string
  synced: number
  unmanaged: number
}

interface Read {
  /** As the caller wrote it. */
  asked: string
  zone: Zone
  soa: Soa | null
  there: ProviderRecords
}

/**
 * Imports those of up to `TOGETHER` zones that are small and have no peculiarities: reads each, then registers and stores
 * all in one transaction. What can't be imported like that for any reason is not in the result, and nothing of it is stored.
 */
export async function importTogether(
  context: RecordContext,
  caller: Caller,
  config: ProviderConfigRow,
  asked: readonly string[],
): Promise<Map<string, Imported>> {
  const none = new Map<string, Imported>()
  const { budgetMs } = context.providerLimits
  // For all of them: what takes longer is imported on its own.
  const limits = { budgetMs, maxZoneRecords: MAX_RECORDS }
  const connection = openConnection(context, config, { limits })
  const { provider } = connection
  // A repeat with the same Idempotency-Key continues zone by zone, and a restricted token may not sync.
  if (provider.capabilities.truth === 'local' || caller.keyed || caller.token?.restrictions) return none
  const named = [...namesOf(asked)]
  if (named.length < 2) return none
  const known = await registeredNames(
    context.db,
    config.id,
    named.map(({ name }) => name),
  )
  try {
    const release = await context.zoneMemory.reserve(caller.userId, TOGETHER * MAX_RECORDS, budgetMs / 2)
    try {
      return await context.stopping.during(readAndStore(named.filter(({ name }) => !known.has(name))))
    } finally {
      release()
    }
  } catch (error) {
    // One by one, each zone gets the reason that concerns it.
    if (error instanceof AppError || violates(error, 'unique')) return none
    throw error
  }

  async function readAndStore(wanted: Named[]): Promise<Map<string, Imported>> {
    const read = await readAll(context, connection, config, wanted)
    if (read.length === 0) return none
    const domains = await context.db.transaction().execute(async (trx) => {
      const rows = await registerZones(trx, caller, { config, provider }, read)
      const byZone = new Map(rows.map((row) => [row.zone_id, row]))
      const first = read.flatMap(({ zone, there }) => {
        const domain = byZone.get(zone.id)
        return domain ? [{ domain, there }] : []
      })
      await storeFirst(trx, caller, first)
      return byZone
    })
    const imported = read.flatMap(({ asked: name, zone, there }): [string, Imported][] => {
      const domain = domains.get(zone.id)
      if (!domain) return []
      context.metrics.syncs.inc({ result: 'ok' })
      return [[name, { domainId: domain.id, synced: there.total, unmanaged: there.unmanaged.length }]]
    })
    return new Map(imported)
  }
}

interface Named {
  asked: string
  /** Canonical. */
  name: string
}

/** The valid names, each once. */
function* namesOf(asked: readonly string[]): Generator<Named> {
  const seen = new Set<string>()
  for (const text of asked) {
    const parsed = parseDomainName(text)
    if (!parsed.ok || seen.has(parsed.name)) continue
    seen.add(parsed.name)
    yield { asked: text, name: parsed.name }
  }
}

/** Reads zones, some at the same time; leaves out those that can't be read within the limits. */
async function readAll(
  context: RecordContext,
  connection: ProviderConnection,
  config: ProviderConfigRow,
  wanted: readonly Named[],
): Promise<Read[]> {
  const read: Read[] = []
  const left = [...wanted]
  let isFailing = false
  const worker = async () => {
    for (let next = left.shift(); next !== undefined && !isFailing; next = left.shift()) {
      const { asked, name } = next
      try {
        const zone = context.listedZones.find(config, name) ?? (await findZone(connection, name, undefined))
        if (zone === null) continue
        const there = await readProvider(connection, zone)
        read.push({ asked, zone, there, soa: there.soa ?? (await readZoneSoa(connection, zone)) })
      } catch (error) {
        if (!(error instanceof AppError) && !(error instanceof ProviderError)) throw error
        // A provider that can't be reached is not asked for each zone twice.
        if (error instanceof AppError ? error.status >= 500 : error.kind !== 'too_large') isFailing = true
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  return read
}
