import { relativeName } from '../../../../dns/names/names.ts'
import type { Routing } from '../../../../dns/names/rrset.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { JsonValue } from '../../../../db/tables/index.ts'
import type { RRsetEdit, Zone } from '../../contract.ts'
import { isObject } from '../../client/json.ts'
import { plainValues, type ListedSet } from '../../shared/listed-sets.ts'
import type { RawSet } from './client.ts'

const DEFAULT_LINE = 'default_view'
/** What each set has where nobody said another one. */
const DEFAULT_WEIGHT = 1

/** A line of Huawei's, by its id, and a weight that is not that of all. */
function routingOf(raw: RawSet): Routing | null {
  const line = raw.line ?? DEFAULT_LINE
  const weight = weightOf(raw)
  if (weight !== null) return { key: `${line}|${weight}`, line, weight }
  return line === DEFAULT_LINE ? null : { key: line, line }
}

const weightOf = ({ weight = null }: RawSet): number | null => (weight === DEFAULT_WEIGHT ? null : weight)

/** In Huawei's words; what has no routing is of the default line. */
function writeRouting(routing: Routing | null | undefined) {
  const [line = DEFAULT_LINE, weight] = routing?.key.split('|') ?? []
  return {
    ...(line !== DEFAULT_LINE && { line }),
    ...(weight !== undefined && { weight: Number(weight) }),
  }
}

/** The set as a list has it; null for one of another zone. */
export function toListed(raw: RawSet, zone: Zone): ListedSet | null {
  const absolute = readName(raw.name)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
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

/** Huawei goes on with it. */
export const isPending = ({ status }: Pick<RawSet, 'status'>): boolean => status.startsWith('PENDING')

export const isGoing = ({ status }: Pick<RawSet, 'status'>): boolean => status === 'PENDING_DELETE'

/** For people at Huawei. */
function extraOf({ description, tags }: RawSet): JsonValue | null {
  const extra = {
    ...(description && { description }),
    ...(Array.isArray(tags) && tags.length > 0 && { tags: tags as JsonValue }),
  }
  return Object.keys(extra).length === 0 ? null : extra
}

/** What is sent of a set that is made. */
export const writeNew = ({ type, routing, extra }: RRsetEdit, name: string, ttl: number | null) => ({
  name,
  type,
  ...(ttl !== null && { ttl }),
  ...writeRouting(routing),
  ...(isObject(extra) && extra),
})

/** What is sent of one that is changed: what is left out would be as of a new one. */
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
