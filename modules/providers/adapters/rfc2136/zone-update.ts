import { CLASS, TYPE, type ResourceRecord } from '../../../../dns/wire/message.ts'
import { absoluteName } from '../../../../dns/names/names.ts'
import { typeCode } from '../../../../dns/wire/type-codes.ts'
import { typeOf } from '../../../../dns/types/index.ts'
import { ProviderError, type RRsetEdit, type Zone } from '../../contract.ts'
import { editedSet } from '../../shared/rrsets/edited-set.ts'
import type { Update } from './client.ts'
import { coexist, type MakeRecord, type Planned } from './coexistence.ts'
import { heldOf, spell, toSet, type Held, type HeldRRset } from './zone-content.ts'

/**
 * Plans the edits as one update: prerequisites that nothing differs from `held`, so that no change by others
 * is lost, and then the new state of each changed RRset. Throws ProviderError, of kind `conflict` for records
 * that exclude each other; see `coexist`.
 */
export function planUpdate(zone: Zone, edits: RRsetEdit[], held: Held): Update {
  const planned = edits.map((edit) => planEdit(edit, heldOf(held, edit)))
  const changed = planned.filter(({ before, after }) => !isSame(before, after))
  const record = recordsOf(zone)
  const apexNs = changed.find(({ after }) => isApexNs(after))
  const others = changed.filter((one) => one !== apexNs)
  return {
    prerequisites: [
      ...planned.flatMap(({ before }) => asHeld(zone, before)),
      ...coexist(planned, held, record),
    ],
    // Deletions that make room for a CNAME go first.
    updates: [
      ...others.filter(isDeleted).map(({ after }) => record(after, CLASS.ANY)),
      ...others.flatMap(({ after }) => after.data.map((data) => record(after, CLASS.IN, data, after.ttl))),
      ...(apexNs === undefined ? [] : replaceApexNs(apexNs, record)),
    ],
  }
}

/** Prerequisites that the RRset is exactly this one, or does not exist. */
export function asHeld(zone: Zone, held: HeldRRset): ResourceRecord[] {
  const record = recordsOf(zone)
  if (held.data.length === 0) return [record(held, CLASS.NONE)]
  return held.data.map((data) => record(held, CLASS.IN, data))
}

const recordsOf =
  (zone: Zone): MakeRecord =>
  ({ name, type }, of, data = Buffer.of(), ttl = 0) => ({
    name: absoluteName(name, zone.name),
    type: type === 'ANY' ? TYPE.ANY : (typeCode(type) ?? 0),
    class: of,
    ttl,
    data,
  })

/** A new CNAME replaces the old one (RFC 2136 section 3.4.2.2). */
const isDeleted = ({ before, after }: Planned): boolean =>
  before.data.length > 0 && !(after.type === 'CNAME' && after.data.length > 0)

const isApexNs = ({ name, type }: HeldRRset) => name === '@' && type === 'NS'

const isSame = (before: HeldRRset, after: HeldRRset): boolean =>
  before.data.length === after.data.length &&
  before.data.every((data) => after.data.includes(data)) &&
  (before.ttl === after.ttl || after.data.length === 0)

/** A name that does not exist (RFC 6761 section 6.4). */
const NOBODY = typeOf('NS').toWire('invalid')

/**
 * A server never deletes all name servers of a zone (RFC 2136 section 3.4.2.4), so new ones are added before
 * old ones are deleted. Knot takes a TTL only from a new record; if there is none, a temporary one is added
 * and deleted within the message.
 */
function replaceApexNs({ before, after }: Planned, record: MakeRecord): ResourceRecord[] {
  const isNew = after.data.some((data) => !before.data.includes(data))
  const passing = isNew || before.ttl === after.ttl ? [] : [NOBODY]
  const gone = before.data.filter((data) => !after.data.includes(data))
  return [
    ...[...passing, ...after.data].map((data) => record(after, CLASS.IN, data, after.ttl)),
    ...[...gone, ...passing].map((data) => record(after, CLASS.NONE, data)),
  ]
}

function planEdit(edit: RRsetEdit, before: HeldRRset): Planned {
  const wanted = editedSet(edit, toSet(before), spell)
  if (wanted === null) return { before, after: before }
  const data = wanted.values.map(({ rdata }) => rdata)
  const after = { ...before, data, ttl: wanted.ttl ?? before.ttl }
  if (isApexNs(after) && data.length === 0)
    throw new ProviderError('rejected', 'A zone must keep at least one name server')
  if ((edit.type === 'CNAME' || edit.type === 'DNAME') && data.length > 1)
    throw new ProviderError('rejected', `${edit.name} can have only one ${edit.type}`)
  return { before, after }
}
