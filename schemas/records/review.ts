import { Type, type Static } from '@sinclair/typebox'
import { named } from '../named.ts'

/** Protocols that can be exempt from review, by the origin of their changes. */
export const REVIEW_EXEMPTIONS = ['ddns', 'acme', 'external-dns', 'powerdns-api', 'dns-update'] as const
export type ReviewExemption = (typeof REVIEW_EXEMPTIONS)[number]

export const ReviewPolicy = Type.Unsafe<'none' | 'members' | 'everyone'>({
  ...named('ReviewPolicy'),
  type: 'string',
  enum: ['none', 'members', 'everyone'],
  description:
    'Whose changes of records need the approval of a second person: of nobody, of users with an assignment (not of the owner and administrators), or of everyone',
  examples: ['none'],
})
export type ReviewPolicy = Static<typeof ReviewPolicy>

export const ReviewExempt = Type.Array(
  Type.Unsafe<ReviewExemption>({
    ...named('ReviewExemption'),
    type: 'string',
    enum: [...REVIEW_EXEMPTIONS],
    examples: ['acme'],
  }),
  {
    uniqueItems: true,
    maxItems: REVIEW_EXEMPTIONS.length,
    description: 'Protocols whose changes need no review, within the names of their token',
    examples: [['ddns', 'acme']],
  },
)
