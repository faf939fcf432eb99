import { Type, type Static } from '@sinclair/typebox'
import { named } from './named.ts'

/** The TXT record that proves control of a name. */
export const NameChallenge = Type.Object(
  {
    name: Type.String({
      description: 'Full name of the record',
      examples: ['_zonekeeper-challenge.app.example.com'],
    }),
    type: Type.Unsafe<'TXT'>({ type: 'string', enum: ['TXT'], examples: ['TXT'] }),
    value: Type.String({
      description: 'Value of the record; specific to this user and name, and always the same',
      examples: ['zonekeeper-verification=3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456'],
    }),
    found: Type.Unsafe<'none' | 'other' | 'unanswered'>({
      type: 'string',
      enum: ['none', 'other', 'unanswered'],
      description:
        'Result in public DNS: `none`, no such record; `other`, a different value; `unanswered`, the lookup failed',
      examples: ['none'],
      ...named('NameChallengeFound'),
    }),
  },
  named('NameChallenge'),
)
export type NameChallenge = Static<typeof NameChallenge>
