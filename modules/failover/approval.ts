/** What decides whether the alternatives of a monitor need the approval of a second person. */
export interface Approvable {
  owner_id: string
  review_policy: 'none' | 'members' | 'everyone'
  author_id: string | null
  /** Null if the account no longer exists. */
  author_role: 'admin' | 'member' | null
  revision: number
  approved_revision: number | null
}

/**
 * Whether nothing is switched until a second person approves. Switches are exempt from the review of a domain, so what they
 * switch to must have been reviewed: else an alternative would be a way around it.
 */
export function awaitsApproval({
  owner_id: ownerId,
  review_policy: policy,
  author_id: authorId,
  author_role: role,
  revision,
  approved_revision: approved,
}: Approvable): boolean {
  if (policy === 'none' || approved === revision) return false
  return policy === 'everyone' || (authorId !== ownerId && role !== 'admin')
}
