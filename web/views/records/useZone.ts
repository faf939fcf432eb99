import { useQuery } from '@tanstack/react-query'
import { recordsFoundQuery, recordsQuery, type LoadedRecords } from '../../api/queries/records.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { askedOf } from '../../zone/filter.ts'
import { useSettled } from '../../ui/useSettled.ts'

/** After so long without a key the service is asked. */
const TYPING_MS = 300

interface Zone {
  /** All, or the first of a zone that does not fit. */
  loaded: LoadedRecords | undefined
  /** Of such a zone: what the service found for the filter. Undefined: it was not asked, or has not answered. */
  found: LoadedRecords | undefined
  error: Error | null
  again: () => void
}

/** The records of a zone; where they do not all fit into memory, a filter is answered by the service. */
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
