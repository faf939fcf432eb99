import { api } from '../../api/client.ts'
import type { ConsoleApi } from '../../api/schema.d.ts'

export type ImportResult = ConsoleApi['/api/domains/import']['POST']['answer']['results'][number]

interface Zone {
  id: string
  name: string
}

/** So many zones a call: a few, as each is read whole and results are told after each call; the service takes 100. */
const A_CALL = 20

/**
 * Imports zones, call after call. Where several of `all` have a name, their ids say which is meant. Rejects where a call
 * fails as a whole: what was told until then is done.
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

/** In calls that have each name once: two zones of one name go in two. */
function inCalls(zones: readonly Zone[]): Zone[][] {
  const calls: Zone[][] = []
  for (const zone of zones) {
    const call = calls.find((one) => one.length < A_CALL && one.every(({ name }) => name !== zone.name))
    if (call) call.push(zone)
    else calls.push([zone])
  }
  return calls
}
