import { absoluteData } from '../../../dns/zone-file/relative-data.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { noteSiblings, type SiblingRules } from './siblings.ts'
import type { ChangeOutcome, Member, MemberChange, RRsetEdit } from '../contract.ts'

/* What providers have in common that hold RRsets (`identity: 'rrset'`), each value of which is served. */

/** What a provider has of one RRset. */
export interface HeldSet<D = string> {
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  /** None: there is no such set. */
  values: readonly HeldValue<D>[]
}

export const NO_SET: HeldSet<never> = { ttl: null, values: [] }

export interface HeldValue<D = string> {
  /** As the provider spells it: presentation data, or a form of its own. */
  rdata: D
  /** Only where the provider keeps comments. */
  comment?: string
}

/** How the provider spells data of that type. */
export type Spell<D = string> = (type: RecordType) => Spelling<D>

export interface Spelling<D = string> {
  /** The canonical value; null when it can't be read. */
  read: (rdata: D) => string | null
  write: (value: string) => D
}

/**
 * The whole set as the edit wants it, without values: it shall go. Reports values that the service does not know. Null when it is so already. What no change names stays
 * to the letter.
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

/** As master files spell it, all names absolute. */
export const absolute: Spell = (type) => ({
  read: (rdata) => typeOf(type).read(rdata),
  write: (value) => typeOf(type).write(value),
})

/** The same where names without a final dot are relative to the zone. */
export const relativeTo =
  (zoneName: string): Spell =>
  (type) => ({
    read: (rdata) => typeOf(type).read(absoluteData(type, rdata, zoneName)),
    write: (value) => typeOf(type).write(value),
  })

const isEqual = <D>(one: HeldValue<D>, other: HeldValue<D> | undefined): boolean =>
  one.rdata === other?.rdata && one.comment === other.comment

function applyChange<D>(
  held: readonly HeldValue<D>[],
  change: MemberChange,
  { read, write }: Spelling<D>,
): readonly HeldValue<D>[] {
  const isOf =
    ({ value }: Member) =>
    ({ rdata }: HeldValue<D>) =>
      read(rdata) === value
  const without = (member: Member) => held.filter((one) => !isOf(member)(one))
  const withMember = (member: Member, before: readonly HeldValue<D>[]) => {
    const { value, comment } = member
    const said = comment === undefined ? {} : { comment }
    if (!before.some(isOf(member))) return [...before, { rdata: write(value), ...said }]
    return before.map((one) => (isOf(member)(one) ? { ...one, ...said } : one))
  }
  if (change.action === 'add') return withMember(change.member, held)
  if (change.action === 'remove') return without(change.member)
  const { from, to } = change
  return withMember(to, from.value === to.value ? held : without(from))
}

/** All changes of all edits are done. */
export const allDone = (edits: readonly RRsetEdit[]): ChangeOutcome[][] =>
  edits.map(({ changes }) => changes.map(() => ({ ok: true, providerId: null })))
