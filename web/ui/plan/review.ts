import type { Schemas } from '../../api/schema.d.ts'

/** What a change request is made of: a kept plan, or changes. */
export type Wanted = { planId: string } | { changes: Schemas['RecordChange'][] }

/** Members of an apply that bypasses the review. */
export interface Emergency {
  emergency: true
  reason: string
}

type Reviewed = Pick<Schemas['Domain'], 'access' | 'reviewPolicy'>

/** Whether the user may bypass the review in an emergency, and needs none where only members do. */
export const hasAllRights = ({ access }: Pick<Reviewed, 'access'>): boolean =>
  access === 'owner' || access === 'admin'

/** Whether the policy lets the user's changes through only as a change request. */
export const needsReview = (domain: Reviewed): boolean =>
  domain.reviewPolicy === 'everyone' || (domain.reviewPolicy === 'members' && !hasAllRights(domain))

type Planned = Pick<Schemas['PlannedRecord'], 'recordId' | 'before' | 'after'>

/** Changes of a plan, to be requested. */
export const wantedOf = (changes: readonly Planned[]): Wanted => ({
  changes: changes.map(changeOf),
})

function changeOf({ recordId, before, after }: Planned): Schemas['RecordChange'] {
  if (after === null) return { action: 'delete', recordId: recordId ?? '' }
  const { recordType, name, value, ttl, proxied, enabled, comment, routing } = after
  const fields = { recordType, name, value, ttl, proxied, enabled, comment }
  if (before === null)
    return { action: 'create', ...fields, ...(routing && { routing: { key: routing.key } }) }
  // Fields that stay are left out, so that changes of others to them are kept.
  const changed = Object.entries(fields).filter(
    ([field, now]) => before[field as keyof typeof fields] !== now,
  )
  return { action: 'update', recordId: recordId ?? '', ...Object.fromEntries(changed) }
}
