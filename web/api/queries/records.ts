import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import type { ConsoleApi, Schemas } from '../schema.d.ts'

/** Up to so many records are in memory, filtered and sorted here. */
export const MAX_IN_MEMORY = 20_000
const PAGE = 1000
const TRIES = 3

export interface LoadedRecords {
  records: Schemas['DnsRecord'][]
  total: number
  /** Of the list that these are of. */
  version: number
  /** False where there are more than fit. */
  isWhole: boolean
  /** The others are on their way. */
  isPart?: true
}

type Page = Schemas['RecordPage']

type Query = NonNullable<ConsoleApi['/api/domains/{id}/records']['GET']['query']>
/** What records are looked for. */
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

/** All pages of one state of the zone; null when it changed meanwhile. `onFirst` is told of the first at once. */
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
      // Not over what is seen already.
      const onFirst = (part: LoadedRecords) => {
        if (client.getQueryData(key) === undefined) client.setQueryData(key, part)
      }
      for (let tries = 1; tries < TRIES; tries++) {
        const loaded = await allPages(id, signal, onFirst)
        if (loaded) return loaded
      }
      // Somebody writes all the time: then the last look counts, as a list of pages that do not quite fit is none.
      const { records, total, recordsVersion, nextCursor } = await page(id, null, signal)
      return { records, total, version: recordsVersion, isWhole: nextCursor === null }
    },
    // Its own drafts are on top of it: what others do is told by the stream, and shown when somebody says so.
    refetchOnWindowFocus: false,
  })

/** Of a zone that does not fit into memory: the records that the service finds, as many as fit. */
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
