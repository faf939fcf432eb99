import { useQuery } from '@tanstack/react-query'
import { recordsFoundQuery, recordsQuery, type LoadedRecords } from '../../api/queries/zones/records.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { askedOf } from '../../zone/filter.ts'
import { useSettled } from '../../ui/hooks/useSettled.ts'

/** Delay before a typed filter is sent, in milliseconds. */
const TYPING_MS = 300

interface Zone {
  /** All records, or the first ones of a large zone. */
  loaded: LoadedRecords | undefined
  /** Of a large zone: records matching the filter. Undefined: no filter, or still loading. */
  found: LoadedRecords | undefined
  error: Error | null
  again: () => void
}

/** Records of a zone; the service filters zones that don't fit into memory. */
export function useZone(domainId: string, filter: string, types: readonly Schemas['RecordType'][]): Zone {
  const { data: loaded, error, refetch } = useQuery(recordsQuery(domainId))
  const settled = useSettled(filter, TYPING_MS)
  const asked = loaded && !loaded.isWhole ? askedOf(settled, types) : null
  const search = useQuery({
    ...recordsFoundQuery(domainId, asked ?? {}),
    enabled: asked !== null,
  })
  return {
    loaded,
    found: asked ? search.data : undefined,
    error: error ?? search.error,
    again: () => void (search.error ? search.refetch() : refetch()),
  }
}
