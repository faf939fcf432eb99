import { CLASS, type ResourceRecord } from '../../../../dns/wire/message.ts'
import { rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'
import { TYPE_CODES, typeName } from '../../../../dns/wire/type-codes.ts'
import { ProviderError } from '../../contract.ts'
import { heldOf, type Held, type HeldRRset } from './zone-content.ts'

/*
 * Rules that servers enforce silently, so they are checked first: a CNAME excludes other records (RFC 2136
 * section 3.4.2.2), and BIND drops a DS without a delegation.
 */

/** An RRset before and after an update. */
export interface Planned {
  before: HeldRRset
  after: HeldRRset
}

/** Makes the records of an update; without data, of `ANY` for any type. */
export type MakeRecord = (key: RRsetKey, of: number, data?: Uint8Array, ttl?: number) => ResourceRecord

/** Returns the RRsets to read before these can change: DS and NS of a delegation belong together. */
export function keysFor(keys: RRsetKey[]): RRsetKey[] {
  const all = keys.flatMap(({ name, type }) => {
    const partner = type === 'DS' ? ['NS'] : type === 'NS' && name !== '@' ? ['DS'] : []
    return [type, ...partner].map((one) => ({ name, type: one }))
  })
  return [...new Map(all.map((key) => [rrsetKey(key), key])).values()]
}

/**
 * Returns prerequisites that make the server apply the whole plan. Throws ProviderError of kind `conflict` if
 * `held` shows that it would not.
 */
export function coexist(planned: Planned[], held: Held, record: MakeRecord): ResourceRecord[] {
  const after = new Map(planned.map((one) => [rrsetKey(one.after), one.after]))
  const stays = (key: RRsetKey) => (after.get(rrsetKey(key)) ?? heldOf(held, key)).data.length > 0
  return planned.flatMap((one) => {
    const isThere = one.before.data.length > 0
    if (isThere === one.after.data.length > 0) return []
    const { name, type } = one.after
    const isPlanned = (other: string) => after.has(rrsetKey({ name, type: other }))
    if (isThere) {
      if (type !== 'NS' || name === '@') return []
      if (stays({ name, type: 'DS' }))
        throw conflict(`${name} has DS records, which must be deleted together with the NS`)
      return isPlanned('DS') ? [] : [record({ name, type: 'DS' }, CLASS.NONE)]
    }
    const others = [...held.values(), ...after.values()].filter(
      (other) => other.name === name && other.type !== type && !BESIDE_CNAME.has(other.type) && stays(other),
    )
    if (type === 'CNAME') {
      const [other] = others
      if (other !== undefined) throw conflict(`${name} has ${other.type} records; a CNAME stands alone`)
      return alone(one, planned, record)
    }
    if (others.some((other) => other.type === 'CNAME'))
      throw conflict(`${name} has a CNAME, which stands alone`)
    const conditions = isPlanned('CNAME') ? [] : [record({ name, type: 'CNAME' }, CLASS.NONE)]
    if (type !== 'DS' || name === '@') return conditions
    if (!stays({ name, type: 'NS' })) throw conflict(`${name} has no NS records; a DS requires a delegation`)
    return isPlanned('NS') ? conditions : [...conditions, record({ name, type: 'NS' }, CLASS.ANY)]
  })
}

const conflict = (message: string) => new ProviderError('conflict', message)

/** Types allowed next to a CNAME in signed zones (RFC 4034 section 2.5, RFC 2181 section 10.1). */
const BESIDE_CNAME: ReadonlySet<string> = new Set(['RRSIG', 'NSEC', 'KEY', 'SIG'])

/** Prerequisites that nothing else exists, except what is deleted at the same time. */
function alone({ after: { name, type } }: Planned, planned: Planned[], record: MakeRecord): ResourceRecord[] {
  const going = planned.filter(({ before }) => before.name === name && before.data.length > 0)
  if (going.length === 0) return [record({ name, type: 'ANY' }, CLASS.NONE)]
  // Then each type needs a prerequisite of its own.
  const isGoing = (other: string) => going.some(({ before }) => before.type === other)
  const others = TYPE_CODES.map(typeName).filter((other) => {
    // BIND fails on a query for an NSEC3.
    return other !== type && other !== 'NSEC3' && !BESIDE_CNAME.has(other) && !isGoing(other)
  })
  return others.map((other) => record({ name, type: other }, CLASS.NONE))
}
