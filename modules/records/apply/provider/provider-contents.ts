import { priorityOf } from '../../../../dns/types/index.ts'
import type { Capabilities, Member, RRset } from '../../../providers/contract.ts'
import type { RecordContent } from '../../plan/change.ts'

/** Maps a member of a provider's RRset to the content of a record. */
export const contentOfMember = (rrset: RRset, member: Member): RecordContent => ({
  name: rrset.name,
  type: rrset.type,
  value: member.value,
  ttl: ttlOfMember(rrset, member),
  priority: priorityOf(rrset.type, member.value),
  proxied: member.proxied ?? false,
  enabled: member.disabled !== true,
  comment: member.comment ?? '',
  routing: rrset.routing ?? null,
  extra: extraOf(rrset, member),
})

/** Returns the TTL of a member: its own if the provider has one for each record, else that of the RRset. */
export const ttlOfMember = (rrset: RRset, member: Member): number | null =>
  member.ttl === undefined ? rrset.ttl : member.ttl

function extraOf({ extra: set }: RRset, { extra: member }: Member): RecordContent['extra'] {
  if (set === undefined && member === undefined) return null
  return { ...(set !== undefined && { set }), ...(member !== undefined && { member }) }
}

/** Returns what an adapter needs to find or create the record. */
export const memberOf = (
  { value, ttl, proxied, enabled, comment, extra }: RecordContent,
  providerId: string | null,
  has: Pick<Capabilities, 'comments' | 'ttlOf'>,
): Member => ({
  value,
  ...(proxied && { proxied: true }),
  ...(!enabled && { disabled: true }),
  ...(has.comments && { comment }),
  ...(has.ttlOf === 'record' && { ttl }),
  ...(extra?.member !== undefined && { extra: extra.member }),
  ...(providerId !== null && { providerId }),
})
