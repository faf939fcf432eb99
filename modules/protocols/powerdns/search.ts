import type { Caller } from '../../../plugins/security/access/index.ts'
import { absoluteName } from '../../../dns/names/names.ts'
import { writeName } from '../../../dns/wire/wire-name.ts'
import { findHolders } from '../../domains/access/holder.ts'
import type { RecordContext } from '../../records/service.ts'
import { refused } from './errors.ts'
import { matchingRecords, matchingZones, type FoundRow } from './queries.ts'
import { param, type Query } from './rules.ts'
import { meantAmong, zoneIdOf } from './zone-ids.ts'
import { contentOf } from './zone-view.ts'

const MAX_RESULTS = 1_000
const USUAL_RESULTS = 100
const MAX_QUERY = 300
/** Each multiplies the work of a comparison. */
const MAX_WILDCARDS = 5
const KINDS = ['all', 'zone', 'record', 'comment'] as const
type ObjectKind = (typeof KINDS)[number]

/** Finds zones, records and comments by name and content, with `*` and `?` for any text and any character. */
export async function searchData({ db }: RecordContext, caller: Caller, query: Query): Promise<object[]> {
  const { pattern, limit, kind } = readQuery(query)
  const wants = (one: ObjectKind) => kind === 'all' || kind === one
  const zones = wants('zone') ? await matchingZones(db, caller, pattern, limit) : []
  const matches = { records: wants('record'), comments: wants('comment') }
  const rows =
    matches.records || matches.comments
      ? await matchingRecords(db, caller, pattern, { limit, ...matches })
      : []
  const meant = await meantIds(db, caller, [...zones.map(({ name }) => name), ...rows.map((row) => row.zone)])
  return [
    ...zones
      .filter(({ id }) => meant.has(id))
      .map(({ name }) => ({ name: writeName(name), object_type: 'zone', zone_id: zoneIdOf(name) })),
    ...rows.filter((row) => meant.has(row.domain_id)).flatMap((row) => found(row, matches)),
  ].slice(0, limit)
}

function readQuery(query: Query) {
  const [q = '', max, kind = 'all'] = ['q', 'max', 'object_type'].map((name) => param(query, name))
  if (q === '') throw refused("Query q can't be blank")
  if (q.length > MAX_QUERY) throw refused(`Query q must have at most ${MAX_QUERY} characters`)
  if (q.split('*').length > MAX_WILDCARDS + 1)
    throw refused(`Query q must have at most ${MAX_WILDCARDS} asterisks`)
  if (!isKind(kind)) throw refused(`object_type must be one of the following options: ${KINDS.join(', ')}`)
  const limit = max === undefined ? USUAL_RESULTS : Number(max)
  if (!Number.isInteger(limit) || limit < 1) throw refused('Maximum number of results (max) must be positive')
  const text = q.endsWith('.') && q.length > 1 ? q.slice(0, -1) : q
  const pattern = text
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_')
  return { pattern, kind, limit: Math.min(limit, MAX_RESULTS) }
}

const isKind = (kind: string): kind is ObjectKind => (KINDS as readonly string[]).includes(kind)

/** Of the domains with these names, those that the name means to the caller. */
async function meantIds(
  db: RecordContext['db'],
  caller: Caller,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const holders = (await findHolders(db, caller, [...new Set(names)])).filter(({ reached }) => reached)
  const groups = [...Map.groupBy(holders, ({ name }) => name).values()]
  return new Set(
    groups.flatMap((namesakes) => {
      const [one, other] = meantAmong(namesakes, caller)
      return one && !other ? [one.id] : []
    }),
  )
}

function found(row: FoundRow, { records, comments }: { records: boolean; comments: boolean }): object[] {
  const place = {
    name: writeName(absoluteName(row.name, row.zone)),
    zone: writeName(row.zone),
    zone_id: zoneIdOf(row.zone),
  }
  const record = {
    content: contentOf(row),
    disabled: !row.enabled,
    ...place,
    object_type: 'record',
    ttl: row.ttl ?? row.usual_ttl,
    type: row.type,
  }
  const comment = { content: row.comment, ...place, object_type: 'comment', type: row.type }
  return [...(records && row.is_record ? [record] : []), ...(comments && row.is_comment ? [comment] : [])]
}
