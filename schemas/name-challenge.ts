import { Type, type Static } from '@sinclair/typebox'
import { named } from './named.ts'
import { OneOf } from './scalars.ts'

/** The TXT record that proves control of a name. */
export const NameChallenge = Type.Object(
  {
    name: Type.String({
      description: 'Full name of the record',
      examples: ['_zonekeeper-challenge.app.example.com'],
    }),
    type: OneOf(['TXT']),
    value: Type.String({
      description: 'Value of the record; specific to this user and name, and always the same',
      examples: ['zonekeeper-verification=3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456'],
    }),
    found: OneOf(['none', 'other', 'unanswered'], {
      description:
        'Result in public DNS: `none`, no such record; `other`, a different value; `unanswered`, the lookup failed',
      ...named('NameChallengeFound'),
    }),
  },
  named('NameChallenge'),
)
export type NameChallenge = Static<typeof NameChallenge>
