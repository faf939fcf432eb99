import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'
import type { ConsoleApi, Schemas } from '../../schema.d.ts'

/** Maximum number of records kept, filtered and sorted in memory. */
export const MAX_IN_MEMORY = 20_000
const PAGE = 1000
const TRIES = 3

export interface LoadedRecords {
  records: Schemas['DnsRecord'][]
  total: number
  version: number
  /** False if the zone has more records than fit. */
  isWhole: boolean
  /** More pages are being loaded. */
  isPart?: true
}

type Page = Schemas['RecordPage']

type Query = NonNullable<ConsoleApi['/api/domains/{id}/records']['GET']['query']>
/** Search and filter of the service. */
export type RecordFilter = Pick<Query, 'search' | 'in' | 'type'>

async function page(
  id: string,
  cursor: string | null,
  signal: AbortSignal,
  filter: RecordFilter = {},
): Promise<Page> {
  const query = { ...filter, limit: PAGE, ...(cursor !== null && { cursor }) }
  return api.GET('/api/domains/{id}/records', { path: { id }, query, signal })
}

/** All pages of one version of the zone; null if it changed meanwhile. Calls `onFirst` with the first page. */
async function allPages(
  id: string,
  signal: AbortSignal,
  onFirst: (part: LoadedRecords) => void,
): Promise<LoadedRecords | null> {
  const first = await page(id, null, signal)
  if (first.nextCursor !== null) {
    const { records, total, recordsVersion } = first
    onFirst({ records, total, version: recordsVersion, isWhole: true, isPart: true })
  }
  const records = [...first.records]
  let cursor = first.nextCursor
  while (cursor !== null && records.length < MAX_IN_MEMORY) {
    const next = await page(id, cursor, signal)
    if (next.recordsVersion !== first.recordsVersion) return null
    records.push(...next.records)
    cursor = next.nextCursor
  }
  return { records, total: first.total, version: first.recordsVersion, isWhole: cursor === null }
}

export const recordsQuery = (id: string) =>
  queryOptions({
    queryKey: ['records', id],
    async queryFn({ signal, client }): Promise<LoadedRecords> {
      const key = ['records', id]
      // Only if nothing is shown yet.
      const onFirst = (part: LoadedRecords) => {
        if (client.getQueryData(key) === undefined) client.setQueryData(key, part)
      }
      for (let tries = 1; tries < TRIES; tries++) {
        const loaded = await allPages(id, signal, onFirst)
        if (loaded) return loaded
      }
      // The zone keeps changing: use the last attempt, although its pages may not fit together.
      const { records, total, recordsVersion, nextCursor } = await page(id, null, signal)
      return { records, total, version: recordsVersion, isWhole: nextCursor === null }
    },
    // Drafts lie on top of it; the stream announces changes by others, which are shown on request.
    refetchOnWindowFocus: false,
  })

/** Of a zone that doesn't fit into memory: matching records, as many as fit. */
export const recordsFoundQuery = (id: string, filter: RecordFilter) =>
  queryOptions({
    queryKey: ['records', id, 'found', filter],
    async queryFn({ signal }): Promise<LoadedRecords> {
      const records: LoadedRecords['records'] = []
      for (let cursor: string | null = null; ;) {
        const part = await page(id, cursor, signal, filter)
        records.push(...part.records)
        cursor = part.nextCursor
        if (cursor === null || records.length >= MAX_IN_MEMORY)
          return { records, total: part.total, version: part.recordsVersion, isWhole: cursor === null }
      }
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
