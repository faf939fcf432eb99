import { Type, type Static } from '@sinclair/typebox'
import { named } from '../named.ts'
import { OneOf } from '../scalars.ts'

export const DriftPolicy = OneOf(['adopt', 'alert', 'enforce'], {
  ...named('DriftPolicy'),
  description:
    'What automatic syncs do with changes made at the DNS provider. `adopt`: take them over. `alert`: announce them, and leave the records here as they are. `enforce`: put back at the provider what is stored here, at most once an hour and if at most 30 % of the records differ; otherwise as `alert`',
  examples: ['adopt'],
})
export type DriftPolicy = Static<typeof DriftPolicy>

export const DriftReason = OneOf(
  ['alert', 'enforcing', 'too_soon', 'many_changes', 'comes_back', 'not_taken'],
  {
    ...named('DriftReason'),
    description:
      'Why the differences are still there. `alert`: the policy of the domain. `enforcing`: being put back. `too_soon`: put back less than an hour ago. `many_changes`: more than 30 % of the records differ. `comes_back`: put back three times in 30 days, and there again. `not_taken`: the provider, or a rule for its zones, refused them',
    examples: ['alert'],
  },
)
export type DriftReason = Static<typeof DriftReason>

/** Differences between the provider and the records here. */
export const Drift = Type.Object(
  {
    created: Type.Integer({ description: 'Records that only the provider has', examples: [1] }),
    updated: Type.Integer({ description: 'Records that differ', examples: [0] }),
    deleted: Type.Integer({ description: 'Records that only are here', examples: [0] }),
    reason: DriftReason,
  },
  named('Drift'),
)
