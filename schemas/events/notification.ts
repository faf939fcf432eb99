import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { ANNOUNCED, CATALOGUE, EventName, Level } from './event-catalogue.ts'
import { Timestamp, Uuid } from '../scalars.ts'
import { named, shownAs, unionBy } from '../named.ts'

const first = { id: Uuid }
const last = {
  title: Type.String({ examples: ['example.com expires in 7 days'] }),
  content: Type.String({
    examples: ['The registration of example.com expires at 2026-11-28T12:00:00.000Z.'],
  }),
  level: Level,
  read: Type.Boolean({ examples: [false] }),
  createdAt: Timestamp,
  more: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Older messages caused by the same user that are not shown, because they exceed that user's share of the list",
      examples: [17],
    }),
  ),
}

/** `domain.sync_failed` as `DomainSyncFailed`. */
const nameOf = (event: string) =>
  event.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())

const about = (event: Static<typeof EventName>, metadata: TSchema) =>
  Type.Object(
    { ...first, event: Type.Literal(event), ...last, metadata },
    named(`${nameOf(event)}Notification`),
  )

/** A message in a user's inbox; the list and the stream use the same shape. */
export const Notification = shownAs(
  {
    ...unionBy('event', [
      ...ANNOUNCED.map((event) => about(event, CATALOGUE[event].metadata)),
      about('connected', Type.Object({}, { description: 'The first message of the stream; never in lists' })),
    ]),
    ...named('Notification'),
    description: '`metadata` is the data of the event, for programs',
  },
  Type.Object({
    ...first,
    event: EventName,
    ...last,
    metadata: Type.Object({}, { additionalProperties: true }),
  }),
)
export type Notification = Static<typeof Notification>
