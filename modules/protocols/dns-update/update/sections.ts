import { relativeName } from '../../../../dns/names/names.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { CLASS, RCODE, TYPE, type Message, type ResourceRecord } from '../../../../dns/wire/message.ts'
import { typeName } from '../../../../dns/wire/type-codes.ts'
import { Refused } from '../refusal.ts'

/** What must hold before anything is changed (RFC 2136 section 2.4). Names are relative to the zone. */
export type Prerequisite =
  | { kind: 'name_in_use' | 'name_free'; name: string }
  | { kind: 'rrset_exists'; name: string; type: PrerequisiteType }
  | { kind: 'rrset_missing'; name: string; type: PrerequisiteType }
  | { kind: 'rrset_is'; name: string; type: PrerequisiteType; values: string[] }

/** The SOA isn't a record here, but every zone has one. */
export type PrerequisiteType = RecordType | 'SOA'

/** One of the four updates of RFC 2136 section 2.5. */
export type Update =
  | { kind: 'add'; name: string; type: RecordType; value: string; ttl: number }
  | { kind: 'delete_rrset'; name: string; type: RecordType }
  | { kind: 'delete_name'; name: string }
  | { kind: 'delete_value'; name: string; type: RecordType; value: string }

export interface UpdateRequest {
  /** Canonical. */
  zone: string
  prerequisites: Prerequisite[]
  updates: Update[]
}

/** Most records of an update; each may cost a call at the provider. */
export const MAX_UPDATES = 500

/**
 * Reads the sections of an update. Throws Refused: FORMERR, NOTZONE, REFUSED for types that aren't managed here, and
 * NOTIMP for a class other than IN.
 */
export function readUpdate({ questions, answers, authorities }: Message): UpdateRequest {
  const [zone, ...others] = questions
  if (zone === undefined || others.length > 0 || zone.type !== TYPE.SOA)
    throw formerr('the zone section must name one zone, with the type SOA')
  if (zone.class !== CLASS.IN) throw new Refused(RCODE.NOTAUTH, 'no zones of that class')
  if (answers.length + authorities.length > MAX_UPDATES)
    throw new Refused(RCODE.REFUSED, `an update can have at most ${MAX_UPDATES} records`)
  return {
    zone: zone.name,
    prerequisites: readPrerequisites(answers, zone.name),
    updates: authorities.flatMap((record) => readOne(record, zone.name)),
  }
}

/** RFC 2136 section 3.2. */
function readPrerequisites(records: readonly ResourceRecord[], zone: string): Prerequisite[] {
  const wanted: Prerequisite[] = []
  const whole = new Map<string, Prerequisite & { kind: 'rrset_is' }>()
  for (const record of records) {
    const name = ownerOf(record, zone)
    if (record.ttl !== 0) throw formerr('a prerequisite must have the TTL 0')
    if (record.class === CLASS.IN) {
      const type = prerequisiteType(record)
      const key = `${type} ${name}`
      const rrset = whole.get(key) ?? { kind: 'rrset_is', name, type, values: [] }
      whole.set(key, rrset)
      if (type !== 'SOA') rrset.values.push(valueOf(type, record))
      continue
    }
    if (record.data.length > 0) throw formerr('this prerequisite must have no data')
    const isAny = record.class === CLASS.ANY
    if (!isAny && record.class !== CLASS.NONE) throw formerr('not a class of prerequisites')
    if (record.type === TYPE.ANY) wanted.push({ kind: isAny ? 'name_in_use' : 'name_free', name })
    else {
      const rrset = { name, type: prerequisiteType(record) }
      wanted.push(isAny ? { kind: 'rrset_exists', ...rrset } : { kind: 'rrset_missing', ...rrset })
    }
  }
  return [...wanted, ...whole.values()]
}

/** RFC 2136 section 3.4.1. Nothing for what section 3.4.2 says to ignore in every zone. */
function readOne(record: ResourceRecord, zone: string): Update[] {
  const name = ownerOf(record, zone)
  const { type: code, class: of, ttl, data } = record
  if (of === CLASS.IN) {
    if (isMeta(code)) throw formerr('not a type that can be added')
    if (code === TYPE.SOA) throw new Refused(RCODE.REFUSED, 'the SOA is not changed by updates')
    const type = managedType(record)
    return [{ kind: 'add', name, type, value: valueOf(type, record), ttl }]
  }
  if (ttl !== 0) throw formerr('a deletion must have the TTL 0')
  if (of === CLASS.ANY) {
    if (data.length > 0) throw formerr('the deletion of an RRset must have no data')
    if (code === TYPE.ANY) return [{ kind: 'delete_name', name }]
    if (isMeta(code)) throw formerr('not a type that can be deleted')
    return code === TYPE.SOA ? [] : [{ kind: 'delete_rrset', name, type: managedType(record) }]
  }
  if (of !== CLASS.NONE) throw formerr('not a class of updates')
  if (isMeta(code)) throw formerr('not a type that can be deleted')
  if (code === TYPE.SOA) return []
  const type = managedType(record)
  return [{ kind: 'delete_value', name, type, value: valueOf(type, record) }]
}

function ownerOf({ name }: ResourceRecord, zone: string): string {
  const owner = relativeName(name, zone)
  if (owner === null) throw new Refused(RCODE.NOTZONE, `${name} is not in the zone ${zone}`)
  return owner
}

/** Types of questions and messages (RFC 6895 section 3.1). */
const isMeta = (code: number): boolean => code === 0 || code === TYPE.OPT || (code >= 128 && code <= 255)

function prerequisiteType(record: ResourceRecord): PrerequisiteType {
  if (isMeta(record.type)) throw formerr('not a type of records')
  return record.type === TYPE.SOA ? 'SOA' : managedType(record)
}

function managedType({ type: code }: ResourceRecord): RecordType {
  const type = readType(typeName(code))
  if (type === null)
    throw new Refused(RCODE.REFUSED, `records of type ${typeName(code)} are not managed here`)
  return type
}

function valueOf(type: RecordType, { data }: ResourceRecord): string {
  const value = data.length === 0 ? null : typeOf(type).fromWire(data)
  if (value === null) throw formerr(`not the data of ${type}`)
  return value
}

const formerr = (reason: string) => new Refused(RCODE.FORMERR, reason)
