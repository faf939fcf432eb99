import { absoluteData } from '../../../../dns/zone-file/relative-data.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { noteSiblings, type SiblingRules } from '../siblings.ts'
import type { ChangeOutcome, Member, MemberChange, RRsetEdit } from '../../contract.ts'

/* Edits at providers that hold RRsets (`identity: 'rrset'`). */

/** TTL and values of an RRset at the provider. */
export interface HeldSet<D = string> {
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  /** Empty: the set does not exist. */
  values: readonly HeldValue<D>[]
}

export const NO_SET: HeldSet<never> = { ttl: null, values: [] }

export interface HeldValue<D = string> {
  /** As the provider spells it: presentation data, or a form of its own. */
  rdata: D
  /** Only where the provider keeps comments. */
  comment?: string
  /** Kept but not served; only where the provider can do that with single values. */
  disabled?: boolean
}

/** How the provider spells data of that type. */
export type Spell<D = string> = (type: RecordType) => Spelling<D>

export interface Spelling<D = string> {
  /** The canonical value; null: the data is not of that type. */
  read: (rdata: D) => string | null
  write: (value: string) => D
}

/**
 * The whole set after the edit, or null if nothing changes. Without values, the set is to be deleted. Values that no change
 * names keep their spelling. Reports values that the service does not know.
 */
export function editedSet<D>(
  edit: Pick<RRsetEdit, 'type' | 'ttl' | 'changes'> & SiblingRules,
  held: HeldSet<D>,
  spell: Spell<D>,
): HeldSet<D> | null {
  const { type, ttl, changes } = edit
  const spelling = spell(type)
  if (edit.known !== undefined)
    noteSiblings(
      edit,
      held.values.map(({ rdata }) => spelling.read(rdata)),
    )
  const values = changes.reduce((before, change) => applyChange(before, change, spelling), held.values)
  const isSame =
    values.length === held.values.length && values.every((one, at) => isEqual(one, held.values[at]))
  return isSame && (values.length === 0 || ttl === held.ttl) ? null : { ttl, values }
}

/** Data as in zone files, with absolute names. */
export const absolute: Spell = (type) => ({
  read: (rdata) => typeOf(type).read(rdata),
  write: (value) => typeOf(type).write(value),
})

/** Data as in zone files, with names relative to the zone unless they end in a dot. */
export const relativeTo =
  (zoneName: string): Spell =>
  (type) => ({
    read: (rdata) => typeOf(type).read(absoluteData(type, rdata, zoneName)),
    write: (value) => typeOf(type).write(value),
  })

const isEqual = <D>(one: HeldValue<D>, other: HeldValue<D> | undefined): boolean =>
  one.rdata === other?.rdata && one.comment === other.comment && isOff(one) === isOff(other)

const isOff = ({ disabled = false }: { disabled?: boolean }): boolean => disabled

function applyChange<D>(
  held: readonly HeldValue<D>[],
  change: MemberChange,
  { read, write }: Spelling<D>,
): readonly HeldValue<D>[] {
  const isOf =
    ({ value }: Member) =>
    ({ rdata }: HeldValue<D>) =>
      read(rdata) === value
  // A value that others disabled or enabled in the meantime stays.
  const without = (member: Member) =>
    held.filter((one) => !isOf(member)(one) || (one.disabled ?? isOff(member)) !== isOff(member))
  const withMember = (member: Member, before: readonly HeldValue<D>[], keepsState = false) => {
    const { value, comment } = member
    const said = comment === undefined ? {} : { comment }
    if (!before.some(isOf(member)))
      return [...before, { rdata: write(value), ...said, ...(isOff(member) && { disabled: true }) }]
    const state = (one: HeldValue<D>) =>
      one.disabled === undefined || keepsState ? {} : { disabled: isOff(member) }
    return before.map((one) => (isOf(member)(one) ? { ...one, ...said, ...state(one) } : one))
  }
  if (change.action === 'add') return withMember(change.member, held)
  if (change.action === 'remove') return without(change.member)
  const { from, to } = change
  if (from.value !== to.value) return withMember(to, without(from))
  return withMember(to, held, isOff(from) === isOff(to))
}

export const DONE: ChangeOutcome = { ok: true, providerId: null }

/** Outcomes of edits that all succeeded. */
export const allDone = (edits: readonly RRsetEdit[]): ChangeOutcome[][] =>
  edits.map(({ changes }) => changes.map(() => DONE))
