import { api } from '../../api/client.ts'
import type { ConsoleApi } from '../../api/schema.d.ts'

export type ImportResult = ConsoleApi['/api/domains/import']['POST']['answer']['results'][number]

interface Zone {
  id: string
  name: string
}

/** Zones per call: few, as each is read in full and progress shows after each call; the service accepts 100. */
const A_CALL = 20

/**
 * Imports zones, call after call. Where several of `all` share a name, ids tell them apart. Rejects if a call fails as a
 * whole; zones reported before are imported.
 */
export async function importZones(
  providerConfigId: string,
  zones: readonly Zone[],
  all: readonly Zone[],
  onResults: (results: ImportResult[]) => void,
): Promise<void> {
  const isDouble = ({ name }: Zone) => all.filter((zone) => zone.name === name).length > 1
  for (const some of inCalls(zones)) {
    const zoneIds = Object.fromEntries(some.filter(isDouble).map(({ name, id }) => [name, id]))
    const { results } = await api.POST('/api/domains/import', {
      body: {
        providerConfigId,
        zones: some.map(({ name }) => name),
        ...(Object.keys(zoneIds).length > 0 && { zoneIds }),
      },
    })
    onResults(results)
  }
}

/** Splits zones so that each call has a name only once. */
function inCalls(zones: readonly Zone[]): Zone[][] {
  const calls: Zone[][] = []
  for (const zone of zones) {
    const call = calls.find((one) => one.length < A_CALL && one.every(({ name }) => name !== zone.name))
    if (call) call.push(zone)
    else calls.push([zone])
  }
  return calls
}
