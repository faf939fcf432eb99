import type { ProviderConfigRow } from '../../providers/configs/service.ts'
import type { Zone } from '../../providers/contract.ts'

declare module 'fastify' {
  interface FastifyInstance {
    listedZones: ListedZones
  }
}

/**
 * The zones of provider connections as they were listed on this instance a few minutes ago: a caller that lists them usually
 * imports some next. A zone may have changed or gone since, so the caller reads it before relying on it.
 */
export interface ListedZones {
  keep(config: ProviderConfigRow, zones: readonly Zone[]): void
  /** The zone with that name; undefined if none or several were listed. */
  find(config: ProviderConfigRow, name: string): Zone | undefined
}

const KEPT_MS = 10 * 60_000
/** In all lists together; about 200 bytes each. */
const MAX_ZONES = 100_000

interface List {
  until: number
  /** The version of the configuration, whose credentials may have changed. */
  version: number
  byName: ReadonlyMap<string, Zone[]>
}

export function createListedZones(now: () => number = Date.now): ListedZones {
  /** By id of the configuration, the oldest first. */
  const lists = new Map<string, List>()

  function dropOld(): void {
    let size = [...lists.values()].reduce((sum, { byName }) => sum + byName.size, 0)
    for (const [id, { until, byName }] of lists) {
      if (until > now() && size <= MAX_ZONES) continue
      lists.delete(id)
      size -= byName.size
    }
  }

  return {
    keep({ id, updated_at: version }, zones) {
      const byName = Map.groupBy(zones, ({ name }) => name)
      lists.delete(id)
      lists.set(id, { until: now() + KEPT_MS, version: version.getTime(), byName })
      dropOld()
    },
    find({ id, updated_at: version }, name) {
      dropOld()
      const list = lists.get(id)
      const found = list?.version === version.getTime() ? (list.byName.get(name) ?? []) : []
      return found.length === 1 ? found[0] : undefined
    },
  }
}
