import type { RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { RRsetEdit, Zone } from '../../contract.ts'
import type { Spell } from '../../shared/edited-set.ts'
import { plainValues, type ListedSet } from '../../shared/listed-sets.ts'
import { joinService, splitService } from '../../shared/owner-names.ts'
import { joinData, NUMBERS, splitData } from '../../shared/split-data.ts'
import { DEFAULT_TTL, TYPES } from './account.ts'
import type { RawRecord } from './client.ts'

/** What of a record says its value. */
export type Data = Pick<RawRecord, 'data' | 'priority' | 'weight' | 'port'>

export const spellOf =
  (zone: Zone): Spell<Data> =>
  (type) => ({
    read: (data) => (isSent(type) ? joinData(type, data, NUMBERS, zone.name) : null),
    write: (value) => splitData(type, value, NUMBERS),
  })

const isSent = (type: RecordType): boolean => TYPES.some((known) => known === type)

export interface Place {
  type: RecordType
  name: string
  service?: string
  protocol?: string
}

/** Where the records of a set are: those of an SRV together with all others of the name below service and protocol. */
export function placeOf({ name, type }: Pick<RRsetEdit, 'name' | 'type'>): Place {
  const service = type === 'SRV' ? splitService(name) : null
  return service === null ? { type, name } : { type, ...service }
}

/** The records in sets; those of another zone none. */
export function toSets(records: readonly RawRecord[], zone: Zone): ListedSet<RawRecord>[] {
  const byOwner = Map.groupBy(records, (raw) => `${raw.type} ${ownerOf(raw)}`)
  return [...byOwner.values()].flatMap((set) => {
    const [first] = set
    const name = first === undefined ? null : readOwner(ownerOf(first), zone.name)
    if (first === undefined || name === null) return []
    // What each says where they differ (RFC 2181 section 5.2 forbids it): the smallest is safe.
    const ttl = Math.min(...set.map((raw) => raw.ttl ?? DEFAULT_TTL))
    return [{ name, type: first.type, ttl, values: plainValues(set) }]
  })
}

function ownerOf({ type, name, service, protocol }: RawRecord): string {
  const isService = type === 'SRV' && service && protocol
  return (isService ? joinService({ service, protocol, name }) : name).toLowerCase()
}
