import { memberKey, rrsetKey, type Routing } from '../../../dns/names/rrset.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import type { Member, RRset } from '../../../modules/providers/contract.ts'

/** A record that a fake holds. */
export interface HeldRecord {
  /** Relative to the zone, `@` for the apex. */
  name: string
  type: string
  /** As a master file has it, with names absolute. */
  rdata: string
  /** Of which of several sets, where there are such. */
  routing?: Routing | null
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  disabled?: boolean
  proxied?: boolean
  comment?: string | null
}

/** Those of the types that we know, as RRsets; each has its TTL also with its members. */
export function rrsetsOf(records: HeldRecord[]): RRset[] {
  const sets = new Map<string, RRset>()
  for (const { name, type: typeName, rdata, routing, ttl, disabled, proxied, comment } of records) {
    const type = readType(typeName)
    const value = type === null ? null : typeOf(type).read(rdata)
    if (type === null || value === null) continue
    const key = rrsetKey({ name, type, routing })
    const set = sets.get(key) ?? { name, type, ...(routing && { routing }), ttl, members: [] }
    const member: Member = {
      value,
      ttl,
      ...(disabled && { disabled }),
      ...(proxied && { proxied }),
      ...(comment && { comment }),
    }
    sets.set(key, { ...set, members: [...set.members, member] })
  }
  return [...sets.values()]
}

/** What isn't held yet: where records stand alone, what is there would be made once more. */
export function newMembers(held: RRset[], wanted: RRset[]) {
  const there = new Set(held.flatMap((set) => set.members.map(({ value }) => memberKey({ ...set, value }))))
  return wanted.flatMap((set) =>
    set.members
      .filter(({ value }) => !there.has(memberKey({ ...set, value })))
      .map((member) => ({ ...set, member })),
  )
}
