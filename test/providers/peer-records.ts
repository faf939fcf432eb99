import { readType, typeOf } from '../../dns/types/index.ts'
import type { Member, RRset } from '../../modules/providers/contract.ts'

/** A record that a fake holds. */
export interface HeldRecord {
  /** Relative to the zone, `@` for the apex. */
  name: string
  type: string
  /** As a master file has it, with names absolute. */
  rdata: string
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  disabled?: boolean
  proxied?: boolean
  comment?: string | null
}

/** Those of the types that we know, as RRsets; each has its TTL also with its members. */
export function rrsetsOf(records: HeldRecord[]): RRset[] {
  const sets = new Map<string, RRset>()
  for (const { name, type: typeName, rdata, ttl, disabled, proxied, comment } of records) {
    const type = readType(typeName)
    const value = type === null ? null : typeOf(type).read(rdata)
    if (type === null || value === null) continue
    const set = sets.get(`${name} ${type}`) ?? { name, type, ttl, members: [] }
    const member: Member = {
      value,
      ttl,
      ...(disabled && { disabled }),
      ...(proxied && { proxied }),
      ...(comment && { comment }),
    }
    sets.set(`${name} ${type}`, { ...set, members: [...set.members, member] })
  }
  return [...sets.values()]
}

/** What isn't held yet: where records stand alone, what is there would be made once more. */
export function newMembers(held: RRset[], wanted: RRset[]) {
  const keyOf = (name: string, type: string, { value }: Member) => `${name} ${type} ${value}`
  const there = new Set(
    held.flatMap(({ name, type, members }) => members.map((member) => keyOf(name, type, member))),
  )
  return wanted.flatMap(({ name, type, ttl, members }) =>
    members
      .filter((member) => !there.has(keyOf(name, type, member)))
      .map((member) => ({ name, type, ttl, member })),
  )
}
