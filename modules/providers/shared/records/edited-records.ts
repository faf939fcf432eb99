import { isDeepStrictEqual } from 'node:util'
import { rrsetKey, type Routing } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { takeSlices } from '../../../../plugins/http/event-loop.ts'
import {
  ProviderError,
  type ChangeOutcome,
  type Member,
  type MemberChange,
  type RRset,
  type RRsetEdit,
  type RRsetPage,
  type UnmanagedRecord,
} from '../../contract.ts'

import { noteSiblings } from '../siblings.ts'

/* Records and edits at providers with record ids (`identity: 'record-id'`). */

/** A record at the provider. */
export interface HeldRecord {
  /** '' where the provider gives none. */
  id: string
  /** Relative to the zone. */
  name: string
  type: RecordType
  /** Of its set, where the provider has several of one name and type. */
  routing?: Routing | null
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  /** Without `providerId`. */
  member: Member
}

/** A record, and what an edit does to it. */
export interface PlannedRecord {
  write: 'create' | 'update' | 'delete' | null
  /** The current content; null: it does not exist yet. */
  held: HeldRecord | null
  /** The wanted content; for a deleted record, the previous one. */
  member: Member
  ttl: number | null
  /** Indexes of the changes that it applies; none: only its TTL changes. */
  changes: number[]
}

// A few milliseconds of work.
const PAGE_SIZE = 500

/** The records of one name, type and routing as an RRset; null without records. Duplicate values count once. */
export function toRRset(held: readonly HeldRecord[]): RRset | null {
  const [first] = held
  if (first === undefined) return null
  const members = new Map<string, Member>()
  for (const { id, member } of held) {
    const known = members.get(member.value)
    // A served record takes precedence.
    if (known === undefined || (known.disabled === true && member.disabled !== true))
      members.set(member.value, id === '' ? member : { ...member, providerId: id })
  }
  // Where TTLs differ, the smallest is safe (RFC 2181 section 5.2).
  const ttls = held.flatMap(({ ttl }) => (ttl === null ? [] : [ttl]))
  const ttl = ttls.length === 0 ? null : Math.min(...ttls)
  const { name, type, routing } = first
  return { name, type, ...(routing && { routing }), ttl, members: [...members.values()] }
}

/** Records of a zone, or of one name and type. */
export interface HeldRecords {
  held: HeldRecord[]
  unmanaged: UnmanagedRecord[]
}

/**
 * All records of the pages. `read` returns null for records to leave out, such as the SOA. `spelled` keeps for each
 * record what it was read from.
 */
export async function collectRecords<T extends object>(
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  read: (raw: T) => HeldRecord | UnmanagedRecord | null,
  spelled?: WeakMap<HeldRecord, T>,
): Promise<HeldRecords> {
  const found: HeldRecords = { held: [], unmanaged: [] }
  for await (const page of pages) {
    for (const raw of page) {
      const record = read(raw)
      if (record === null) continue
      if ('id' in record) {
        found.held.push(record)
        spelled?.set(record, raw)
      } else found.unmanaged.push(record)
    }
  }
  return found
}

/** All records of a zone as RRsets, in pages. */
export async function* toPages({ held, unmanaged }: HeldRecords): AsyncGenerator<RRsetPage> {
  const slice = takeSlices()
  const sets = [...Map.groupBy(held, rrsetKey).values()]
  yield { rrsets: [], unmanaged }
  for (let start = 0; start < sets.length; start += PAGE_SIZE) {
    const rrsets = sets.slice(start, start + PAGE_SIZE).flatMap((set) => toRRset(set) ?? [])
    yield { rrsets, unmanaged: [] }
    await slice()
  }
}

/**
 * Plans the writes for an edit. All records get its TTL, unless `ttlOf` returns another. A changed value keeps its record,
 * and so its id and other properties. Reports values that the service does not know.
 */
export function planRecords(
  edit: RRsetEdit,
  held: readonly HeldRecord[],
  ttlOf: (member: Member) => number | null = () => edit.ttl,
): PlannedRecord[] {
  noteSiblings(
    edit,
    held.map(({ member }) => member.value),
  )
  const slots: Slot[] = held.map((one) => ({ held: one, member: one.member, isGone: false, changes: [] }))
  edit.changes.forEach((change, index) => applyChange(slots, change, index))
  return slots
    .filter((slot) => slot.held !== null || !slot.isGone)
    .map(({ held: one, member, isGone, changes }) => {
      const ttl = ttlOf(member)
      const isSame = one !== null && one.ttl === ttl && isDeepStrictEqual(one.member, member)
      const write = isGone ? 'delete' : one === null ? 'create' : isSame ? null : 'update'
      return { write, held: one, member, ttl, changes }
    })
}

interface Slot {
  held: HeldRecord | null
  member: Member
  isGone: boolean
  changes: number[]
}

function applyChange(slots: Slot[], change: MemberChange, index: number): void {
  const of = ({ value }: Member) => slots.filter((slot) => !slot.isGone && slot.member.value === value)
  // A member that others disabled or enabled in the meantime stays.
  const asKnown = (member: Member) => of(member).filter((slot) => isOff(slot.member) === isOff(member))
  const remove = (member: Member) => {
    for (const slot of asKnown(member))
      Object.assign(slot, { isGone: true, changes: [...slot.changes, index] })
  }
  const set = (slot: Slot, member: Member) => {
    slot.member = { ...slot.member, ...withoutDefaults(slot.member, withoutId(member)) }
    slot.changes.push(index)
  }
  const add = (member: Member) => {
    const found = of(member)
    for (const slot of found) set(slot, member)
    if (found.length > 0) return
    slots.push({ held: null, member: withoutId(member), isGone: false, changes: [index] })
  }
  if (change.action === 'add') return add(change.member)
  if (change.action === 'remove') return remove(change.member)
  const { from, to } = change
  if (from.value === to.value) {
    const found = of(from)
    const isMeant = isOff(from) !== isOff(to)
    for (const slot of found) set(slot, isMeant ? to : asServed(to, slot.member))
    return found.length === 0 ? add(to) : undefined
  }
  const [first] = asKnown(from)
  if (first === undefined || of(to).length > 0) {
    remove(from)
    return add(to)
  }
  set(first, to)
  remove(from)
}

const isOff = ({ disabled }: Member): boolean => disabled === true

/** The member, disabled or not like the other one. */
function asServed(member: Member, other: Member): Member {
  const { disabled = false, ...rest } = member
  if (disabled === isOff(other)) return member
  return disabled ? rest : { ...rest, disabled: true }
}

/** The member without its id. */
function withoutId(member: Member): Member {
  const { providerId, ...rest } = member
  return providerId === undefined ? member : rest
}

/** `proxied` and `disabled` are missing where they are false: sets them to false if they were true before. */
const withoutDefaults = (before: Member, member: Member): Member => ({
  ...(before.proxied === true && { proxied: false }),
  ...(before.disabled === true && { disabled: false }),
  ...member,
})

/** Deletions first: they make room for creations. */
const ORDER: PlannedRecord['write'][] = ['delete', 'update', 'create']

/** The records to be written, in order. */
export const writesOf = (planned: readonly PlannedRecord[]): PlannedRecord[] =>
  planned
    .filter(({ write }) => write !== null)
    .toSorted((a, b) => ORDER.indexOf(a.write) - ORDER.indexOf(b.write))

/**
 * The outcome of each change of the edit. `done`: outcomes of written records; records that needed no write are missing.
 */
export function outcomesOf(
  edit: RRsetEdit,
  planned: readonly PlannedRecord[],
  done: ReadonlyMap<PlannedRecord, ChangeOutcome>,
): ChangeOutcome[] {
  const outcomes = edit.changes.map((): ChangeOutcome => ({ ok: true, providerId: null }))
  for (const record of planned) {
    const { write, held, changes } = record
    const outcome = done.get(record) ?? { ok: true as const, providerId: held?.id || null }
    // A failed change of the TTL affects the whole set.
    const concerned = changes.length > 0 || outcome.ok ? changes : outcomes.keys()
    for (const index of concerned) {
      if (outcomes[index]?.ok === true && (write !== 'delete' || !outcome.ok)) outcomes[index] = outcome
    }
  }
  return outcomes
}

/**
 * Writes planned records one by one; `write` returns the id. A refusal becomes the outcome of its changes, and the other
 * records are still written. Rejects if a call fails for another reason before anything was written, or if only the TTL
 * was to change.
 */
export async function writeOneByOne(
  edit: RRsetEdit,
  planned: readonly PlannedRecord[],
  write: (record: PlannedRecord) => Promise<string | null>,
): Promise<ChangeOutcome[]> {
  const done = new Map<PlannedRecord, ChangeOutcome>()
  let failure: ProviderError | null = null
  for (const record of writesOf(planned)) {
    try {
      if (failure !== null && !isRefusal(failure)) throw notSent(failure)
      done.set(record, { ok: true, providerId: await write(record) })
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      const isFirst = [...done.values()].every(({ ok }) => !ok)
      if (isFirst && !isRefusal(error)) throw error
      if (record.changes.length === 0 && edit.changes.length === 0) throw error
      failure ??= error
      done.set(record, { ok: false, error })
    }
  }
  return outcomesOf(edit, planned, done)
}

/** The provider refuses this change; others may succeed. */
export const isRefusal = ({ kind }: ProviderError) => ['rejected', 'conflict', 'quota'].includes(kind)

/** Outcome of changes after a failure that would also affect them, such as refused credentials. */
export const notSent = ({ kind, message }: ProviderError) =>
  new ProviderError(kind, `Not sent, because an earlier change failed: ${message}`)
