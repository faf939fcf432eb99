import { rrsetKey } from '../../../dns/names/rrset.ts'
import type { Member, MemberChange, Provider, RRset, RRsetEdit } from '../../../modules/providers/contract.ts'

/** What is asked of a subject. */
interface Subject {
  provider: Provider
  extra?: unknown
}

/** Whether it holds of a record what is known from a list alone. */
function holdsMore({ provider, extra }: Subject): boolean {
  const { identity, comments, ttlOf, proxied } = provider.capabilities
  return identity === 'record-id' || ttlOf === 'record' || comments || proxied || extra !== undefined
}

/** The edits as the service sends them, which knows from a list what the provider holds beside the values. */
export async function asSent(
  edits: RRsetEdit[],
  list: () => Promise<RRset[]>,
  subject: Subject,
): Promise<RRsetEdit[]> {
  if (!holdsMore(subject)) return edits
  const { comments, ttlOf } = subject.provider.capabilities
  const sets = new Map((await list()).map((set) => [rrsetKey(set), set]))
  return edits.map((edit) => {
    const set = sets.get(rrsetKey(edit))
    const find = ({ value }: Member) => set?.members.find((member) => member.value === value)
    /** Whether it is served is for the edit to say. */
    const known = (member: Member): Member => {
      const { disabled: _, ...rest } = find(member) ?? member
      return { ...rest, ...member }
    }
    const made = (member: Member, like?: Member): Member => ({
      ...(comments && { comment: like?.comment ?? '' }),
      ...(ttlOf === 'record' && { ttl: edit.ttl }),
      ...(like?.proxied && { proxied: true }),
      ...(like?.extra !== undefined && { extra: like.extra }),
      ...member,
    })
    const changes = edit.changes.map((change): MemberChange => {
      if (change.action === 'add') return { ...change, member: made(change.member, find(change.member)) }
      if (change.action === 'remove') return { ...change, member: known(change.member) }
      return { ...change, from: known(change.from), to: made(change.to, find(change.from)) }
    })
    return { ...(set?.extra !== undefined && { extra: set.extra }), ...edit, changes }
  })
}
