import { typeOf, type RecordType } from '../../dns/types/index.ts'
import type { MemberChange, RRsetEdit } from './contract.ts'

/* What providers have in common that hold RRsets as presentation data (`identity: 'rrset'`), each value of which is served. */

/** What a provider has of one RRset. */
export interface HeldSet {
  /** Seconds. */
  ttl: number
  /** Presentation data, as the provider spells it; none: there is no such set. */
  rdata: readonly string[]
}

/**
 * The whole set as the edit wants it, without data: it shall go. Null when it is so already. What no change names stays
 * to the letter.
 */
export function editedSet({ type, ttl, changes }: RRsetEdit, held: HeldSet): HeldSet | null {
  const rdata = changes.reduce((before, change) => applyChange(type, before, change), held.rdata)
  const wanted = { ttl: ttl ?? held.ttl, rdata }
  const isSame = rdata.length === held.rdata.length && rdata.every((one, at) => one === held.rdata[at])
  return isSame && (rdata.length === 0 || wanted.ttl === held.ttl) ? null : wanted
}

function applyChange(type: RecordType, rdata: readonly string[], change: MemberChange): readonly string[] {
  const isOf = (value: string) => (one: string) => typeOf(type).read(one) === value
  const without = (value: string) => rdata.filter((one) => !isOf(value)(one))
  const withValue = (value: string, before: readonly string[]) =>
    before.some(isOf(value)) ? before : [...before, typeOf(type).write(value)]
  if (change.action === 'add') return withValue(change.member.value, rdata)
  if (change.action === 'remove') return without(change.member.value)
  const { from, to } = change
  return withValue(to.value, from.value === to.value ? rdata : without(from.value))
}
