import { CLASS, TYPE, type ResourceRecord } from '../../../../dns/wire/message.ts'
import { absoluteName } from '../../../../dns/names/names.ts'
import { typeCode } from '../../../../dns/wire/type-codes.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { ProviderError, type MemberChange, type RRsetEdit, type Zone } from '../../contract.ts'
import { noteSiblings } from '../../shared/siblings.ts'
import type { Update } from './client.ts'
import { coexist, type MakeRecord, type Planned } from './coexistence.ts'
import { heldOf, readValue, type Held, type HeldRRset } from './zone-content.ts'

/**
 * The edits as one update: prerequisites that everything is as `held` says, so that nobody's change is lost, and
 * then each RRset that changes as it shall be. Throws ProviderError, of kind `conflict` for records that exclude
 * each other; see `coexist`.
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
    // What makes room for a CNAME goes first.
    updates: [
      ...others.filter(isDeleted).map(({ after }) => record(after, CLASS.ANY)),
      ...others.flatMap(({ after }) => after.data.map((data) => record(after, CLASS.IN, data, after.ttl))),
      ...(apexNs === undefined ? [] : replaceApexNs(apexNs, record)),
    ],
  }
}

/** Prerequisites for the RRset being exactly this one, or not there. */
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

/** A new CNAME takes the place of the old one (RFC 2136 section 3.4.2.2). */
const isDeleted = ({ before, after }: Planned): boolean =>
  before.data.length > 0 && !(after.type === 'CNAME' && after.data.length > 0)

const isApexNs = ({ name, type }: HeldRRset) => name === '@' && type === 'NS'

const isSame = (before: HeldRRset, after: HeldRRset): boolean =>
  before.data.length === after.data.length &&
  before.data.every((data) => after.data.includes(data)) &&
  (before.ttl === after.ttl || after.data.length === 0)

/** A name that nobody can have (RFC 6761 section 6.4). */
const NOBODY = typeOf('NS').toWire('invalid')

/**
 * The name servers of a zone are never deleted all together (RFC 2136 section 3.4.2.4), so the new ones come before
 * the old ones go. Knot takes a TTL only from one that is new: if none is, one comes and goes within the message.
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
  noteSiblings(
    edit,
    before.data.map((data) => readValue(edit.type, data)),
  )
  const data = edit.changes.reduce((all, change) => applyChange(edit.type, all, change), before.data)
  const after = { ...before, data, ttl: edit.ttl ?? before.ttl }
  if (isApexNs(after) && data.length === 0 && before.data.length > 0) {
    throw new ProviderError('rejected', 'The last name server of a zone cannot be removed')
  }
  if ((edit.type === 'CNAME' || edit.type === 'DNAME') && data.length > 1) {
    throw new ProviderError('rejected', `${edit.name} can have one ${edit.type} only`)
  }
  return { before, after }
}

function applyChange(type: RecordType, all: Uint8Array[], change: MemberChange): Uint8Array[] {
  const has = (value: string) => all.some((data) => readValue(type, data) === value)
  const add = (value: string, to: Uint8Array[]) => (has(value) ? to : [...to, typeOf(type).toWire(value)])
  const remove = (value: string) => all.filter((data) => readValue(type, data) !== value)
  if (change.action === 'add') return add(change.member.value, all)
  if (change.action === 'remove') return remove(change.member.value)
  const { from, to } = change
  return add(to.value, from.value === to.value ? all : remove(from.value))
}
