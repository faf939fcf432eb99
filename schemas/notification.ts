import { Type, type Static } from '@sinclair/typebox'
import { EventName, LEVELS, type Level } from './event-catalogue.ts'
import { Timestamp, Uuid } from './scalars.ts'
import { named } from './named.ts'

/** A message to a user inside the service; the same in the list and, as JSON, in the stream. */
export const Notification = Type.Object(
  {
    id: Uuid,
    event: EventName,
    title: Type.String({ examples: ['example.com expires in 7 days'] }),
    content: Type.String({
      examples: ['The registration of example.com ends at 2026-11-28T12:00:00.000Z.'],
    }),
    level: Type.Unsafe<Level>({
      ...named('Level'),
      type: 'string',
      enum: [...LEVELS],
      examples: ['warning'],
    }),
    read: Type.Boolean({ examples: [false] }),
    createdAt: Timestamp,
    metadata: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'What the event tells, for programs; by event, see docs/notifications.md',
        examples: [{ domainId: '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10', domainName: 'example.com' }],
      },
    ),
  },
  { $id: 'Notification' },
)
export type Notification = Static<typeof Notification>
