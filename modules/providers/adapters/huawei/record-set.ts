import type { Routing } from '../../../../dns/names/rrset.ts'
import type { JsonValue } from '../../../../db/tables/index.ts'
import type { RRsetEdit, Zone } from '../../contract.ts'
import { isObject } from '../../client/json.ts'
import { plainValues, type ListedSet } from '../../shared/rrsets/listed-sets.ts'
import { ownerOf } from '../../shared/spelling/owner-names.ts'
import type { RawSet } from './client.ts'

const DEFAULT_LINE = 'default_view'
/** The weight of sets that have no other. */
const DEFAULT_WEIGHT = 1

/** The id of a line, with a weight unless that is the default, is the key. */
function routingOf(raw: RawSet): Routing | null {
  const line = raw.line ?? DEFAULT_LINE
  const weight = weightOf(raw)
  if (weight !== null) return { key: `${line}|${weight}`, line, weight }
  return line === DEFAULT_LINE ? null : { key: line, line }
}

const weightOf = ({ weight = null }: RawSet): number | null => (weight === DEFAULT_WEIGHT ? null : weight)

/** The fields for a routing; sets without one belong to the default line. */
function writeRouting(routing: Routing | null | undefined) {
  const [line = DEFAULT_LINE, weight] = routing?.key.split('|') ?? []
  return {
    ...(line !== DEFAULT_LINE && { line }),
    ...(weight !== undefined && { weight: Number(weight) }),
  }
}

/** The set in our terms; null: it is not in the zone. */
export function toListed(raw: RawSet, zone: Zone): ListedSet | null {
  const name = ownerOf(raw.name, zone)
  if (name === null) return null
  const extra = extraOf(raw)
  return {
    name,
    type: raw.type,
    routing: routingOf(raw),
    ttl: raw.ttl ?? 0,
    values: plainValues(raw.records ?? []),
    ...(isDisabled(raw) && { disabled: true }),
    ...(extra !== null && { extra }),
    ...(isObject(raw.alias_target) && { instead: `alias ${JSON.stringify(raw.alias_target)}` }),
  }
}

export const isDisabled = ({ status }: RawSet): boolean => status === 'DISABLE'

/** The change is not in effect yet. */
export const isPending = ({ status }: Pick<RawSet, 'status'>): boolean => status.startsWith('PENDING')

export const isBeingDeleted = ({ status }: Pick<RawSet, 'status'>): boolean => status === 'PENDING_DELETE'

/** Properties that can be changed at Huawei Cloud only. */
function extraOf({ description, tags }: RawSet): JsonValue | null {
  const extra = {
    ...(description && { description }),
    ...(Array.isArray(tags) && tags.length > 0 && { tags: tags as JsonValue }),
  }
  return Object.keys(extra).length === 0 ? null : extra
}

/** A set to create. */
export const writeNew = (
  { type, routing, extra, ttl }: Pick<RRsetEdit, 'type' | 'routing' | 'extra' | 'ttl'>,
  name: string,
) => ({
  name,
  type,
  ...(ttl !== null && { ttl }),
  ...writeRouting(routing),
  ...(isObject(extra) && extra),
})

/** A set to change. Missing fields would be reset. */
export function writeChanged(raw: RawSet, ttl: number | null) {
  const { name, type, description } = raw
  const weight = weightOf(raw)
  return {
    name,
    type,
    ...(ttl !== null && { ttl }),
    ...(typeof description === 'string' && { description }),
    ...(weight !== null && { weight }),
  }
}
