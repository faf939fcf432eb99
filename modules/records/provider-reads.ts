import { rrsetKey } from '../../dns/rrset.ts'
import type { ProviderConnection } from '../providers/connection.ts'
import { ProviderError, type RRset, type Zone } from '../providers/contract.ts'
import type { RecordContent, Step } from './change.ts'

/** The RRsets that the steps are about, as the provider has them now, by `rrsetKey`. Rejects with ProviderError. */
export async function readRRsets(
  connection: ProviderConnection,
  zone: Zone,
  steps: Pick<Step, 'before' | 'after'>[],
): Promise<Map<string, RRset | null>> {
  const rrsets = new Map<string, RRset | null>()
  for (const content of steps.flatMap(({ before, after }) => [before, after])) {
    if (!content || rrsets.has(rrsetKey(content))) continue
    rrsets.set(rrsetKey(content), await readRRset(connection, zone, content))
  }
  return rrsets
}

async function readRRset(connection: ProviderConnection, zone: Zone, { name, type }: RecordContent) {
  try {
    return await connection.call((adapter) => adapter.readRRset(zone, name, type))
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error
    // A zone that was deleted there holds nothing; but a wrong address has no zones either.
    if ((await connection.call((adapter) => adapter.findZone(zone.name))) !== null) throw error
    return null
  }
}
