import { Type, type Static } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { RRsetEdit, Zone } from '../../contract.ts'
import type { Spell } from '../../shared/rrsets/edited-set.ts'
import { plainValues, type ListedSet } from '../../shared/rrsets/listed-sets.ts'
import { joinService, splitService } from '../../shared/spelling/owner-names.ts'
import { joinData, NUMBERS, splitData } from '../../shared/spelling/split-data.ts'
import { DEFAULT_TTL, TYPES } from './index.ts'

const OptionalInteger = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const OptionalLabel = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const RawRecord = Type.Object({
  type: Type.String(),
  /** Relative to the domain, `@` for the apex; of SRV without service and protocol. */
  name: Type.String(),
  data: Type.String(),
  ttl: Type.Optional(Type.Integer()),
  priority: OptionalInteger,
  weight: OptionalInteger,
  port: OptionalInteger,
  service: OptionalLabel,
  protocol: OptionalLabel,
})

export type RawRecord = Static<typeof RawRecord>

/** The fields that hold the value. */
export type Data = Pick<RawRecord, 'data' | 'priority' | 'weight' | 'port'>

export const spellOf =
  (zone: Zone): Spell<Data> =>
  (type) => ({
    read: (data) => (isSent(type) ? joinData(type, data, NUMBERS, zone.name) : null),
    write: (value) => splitData(type, value, NUMBERS),
  })

const isSent = (type: RecordType): boolean => TYPES.some((known) => known === type)

/** Records that GoDaddy reads and replaces together. */
export interface RecordPlace {
  type: RecordType
  name: string
  service?: string
  protocol?: string
}

/** Where the records of a set are. SRV records share a place with those of other services of the same name. */
export function placeOf({ name, type }: Pick<RRsetEdit, 'name' | 'type'>): RecordPlace {
  const service = type === 'SRV' ? splitService(name) : null
  return service === null ? { type, name } : { type, ...service }
}

/** The records in sets; leaves out those outside of the zone. */
export function toSets(records: readonly RawRecord[], zone: Zone): ListedSet<RawRecord>[] {
  const byOwner = Map.groupBy(records, (raw) => `${raw.type} ${ownerOf(raw)}`)
  return [...byOwner.values()].flatMap((set) => {
    const [first] = set
    const name = first === undefined ? null : readOwner(ownerOf(first), zone.name)
    if (first === undefined || name === null) return []
    // Where TTLs differ, the smallest is safe (RFC 2181 section 5.2).
    const ttl = Math.min(...set.map((raw) => raw.ttl ?? DEFAULT_TTL))
    return [{ name, type: first.type, ttl, values: plainValues(set) }]
  })
}

function ownerOf({ type, name, service, protocol }: RawRecord): string {
  const isService = type === 'SRV' && service && protocol
  return (isService ? joinService({ service, protocol, name }) : name).toLowerCase()
}
