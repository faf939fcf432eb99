import { memberKey } from '../../../dns/names/rrset.ts'
import type { RRset } from '../../../modules/providers/contract.ts'

export { rrsetsOf } from '../simulators/simulated-subject.ts'

/** What isn't held yet: where records stand alone, what is there would be made once more. */
export function newMembers(held: RRset[], wanted: RRset[]) {
  const there = new Set(held.flatMap((set) => set.members.map(({ value }) => memberKey({ ...set, value }))))
  return wanted.flatMap((set) =>
    set.members
      .filter(({ value }) => !there.has(memberKey({ ...set, value })))
      .map((member) => ({ ...set, member })),
  )
}
