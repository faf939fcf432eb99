import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { ProviderConnection } from '../../../providers/traffic/connection.ts'
import { ProviderError, type RRset, type Zone } from '../../../providers/contract.ts'
import type { RecordContent, Step } from '../../plan/change.ts'

/** RRsets by `rrsetKey`; null for one that does not exist. */
type RRsets = Map<string, RRset | null>

/** For more RRsets than this, the whole zone is read: single reads would take too long. */
const MAX_SINGLE_READS = 50

/** Reads the RRsets that the steps concern at the provider. Rejects with ProviderError. */
export const readRRsets = (
  connection: ProviderConnection,
  zone: Zone,
  steps: Pick<Step, 'before' | 'after'>[],
): Promise<RRsets> =>
  readSets(
    connection,
    zone,
    steps.flatMap(({ before, after }) => [before, after].filter((content) => content !== null)),
  )

type Wanted = Pick<RecordContent, 'name' | 'type'> & Partial<Pick<RecordContent, 'routing'>>

/** Reads RRsets at the provider. Rejects with ProviderError. */
export async function readSets(
  connection: ProviderConnection,
  zone: Zone,
  keys: readonly Wanted[],
): Promise<RRsets> {
  const wanted = new Map(keys.map((key) => [rrsetKey(key), key]))
  const found: RRsets = new Map([...wanted.keys()].map((key) => [key, null]))
  try {
    if (wanted.size > MAX_SINGLE_READS) await pickFromZone(connection, zone, found)
    else await readEach(connection, zone, wanted, found)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'too_large') await readEach(connection, zone, wanted, found)
    // A deleted zone holds nothing, but a wrong server address has no zones either.
    else if (error.kind !== 'not_found' || (await hasZone(connection, zone))) throw error
  }
  return found
}

const pickFromZone = (connection: ProviderConnection, zone: Zone, found: RRsets) =>
  connection.call(async (adapter) => {
    for await (const { rrsets } of adapter.listRRsets(zone)) {
      for (const rrset of rrsets) if (found.has(rrsetKey(rrset))) found.set(rrsetKey(rrset), rrset)
    }
  })

async function readEach(
  connection: ProviderConnection,
  zone: Zone,
  wanted: ReadonlyMap<string, Wanted>,
  found: RRsets,
) {
  for (const [key, { name, type, routing }] of wanted) {
    found.set(key, await connection.call((adapter) => adapter.readRRset(zone, name, type, routing)))
  }
}

const hasZone = async (connection: ProviderConnection, zone: Zone) =>
  (await connection.call((adapter) => adapter.findZones(zone.name))).some(({ id }) => id === zone.id)
