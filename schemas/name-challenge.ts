import { Type, type Static } from '@sinclair/typebox'
import { named } from './named.ts'

/** The TXT record by which somebody proves that a name is theirs. */
export const NameChallenge = Type.Object(
  {
    name: Type.String({
      description: 'Full name of the record',
      examples: ['_zonekeeper-challenge.app.example.com'],
    }),
    type: Type.Unsafe<'TXT'>({ type: 'string', enum: ['TXT'], examples: ['TXT'] }),
    value: Type.String({
      description: 'Its value; specific to this user and this name, and the same each time',
      examples: ['zonekeeper-verification=3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456'],
    }),
    found: Type.Unsafe<'none' | 'other' | 'unanswered'>({
      type: 'string',
      enum: ['none', 'other', 'unanswered'],
      description:
        'What public DNS says: `none`, no such record; `other`, another value; `unanswered`, the lookup failed',
      examples: ['none'],
      ...named('NameChallengeFound'),
    }),
  },
  named('NameChallenge'),
)
export type NameChallenge = Static<typeof NameChallenge>
