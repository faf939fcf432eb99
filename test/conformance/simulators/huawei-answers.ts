import { json } from './answers.ts'
import { failure, type HuaweiSet, type HuaweiZone } from './huawei-zone.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'

const MAX_PAGE = 500
const HOST = 'https://dns.myhuaweicloud.com'

/** Links name the service's own host, whichever was called. */
export function page<T extends { id: string }>(
  { query, path }: SimulatorRequest,
  key: string,
  all: T[],
  show: (item: T) => object,
): SimulatorAnswer {
  const limit = Number(query.get('limit') ?? MAX_PAGE)
  const offset = Number(query.get('offset') ?? 0)
  const marker = query.get('marker')
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_PAGE)
    throw failure(400, 'DNS.0006', 'The limit parameter is invalid.')
  if (!Number.isInteger(offset) || offset < 0)
    throw failure(400, 'DNS.0017', 'The offset parameter is invalid.')
  const at = marker === null ? 0 : all.findIndex(({ id }) => id === marker) + 1
  if (marker !== null && at === 0) throw failure(400, 'DNS.0007', 'The marker parameter is invalid.')
  const items = all.slice(at + offset, at + offset + limit)
  const last = items.at(-1)
  const hasMore = last !== undefined && at + offset + limit < all.length
  const next = new URLSearchParams({ limit: String(limit), marker: last?.id ?? '' })
  const links = { self: `${HOST}${path}`, ...(hasMore && { next: `${HOST}${path}?${next.toString()}` }) }
  return json(200, { [key]: items.map(show), links, metadata: { total_count: all.length } })
}

export const listOf = (recordsets: object[]) => ({ recordsets, metadata: { total_count: recordsets.length } })

export const shown = ({ id, name, email, created, sets }: HuaweiZone, status = 'ACTIVE') => ({
  id,
  name,
  description: null,
  email,
  ttl: 300,
  serial: 1,
  masters: [],
  status,
  pool_id: 'ff80808261568dfe016156c446410001',
  project_id: '5374cb5cb9a1450f947a9ff0b60b0b5f',
  zone_type: 'public',
  created_at: created,
  updated_at: created,
  record_num: sets.length,
  links: { self: `${HOST}/v2/zones/${id}` },
})

/** The older version knows no lines and weights, and spells the times otherwise. */
export function shownSet(zone: HuaweiZone, version: string, set: HuaweiSet) {
  const { line, weight, alias_target, created, updated, ...rest } = set
  const common = {
    ...rest,
    zone_id: zone.id,
    zone_name: zone.name,
    project_id: 'b0293a0756e94bff84b625b9402a6918',
    links: { self: `${HOST}/${version}/zones/${zone.id}/recordsets/${set.id}` },
  }
  if (version === 'v2') return { ...common, create_at: created, update_at: updated }
  return {
    ...common,
    created_at: created,
    updated_at: updated,
    line,
    weight: weight ?? 1,
    health_check_id: null,
    alias_target,
  }
}
