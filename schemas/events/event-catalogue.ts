import { Type, type Static } from '@sinclair/typebox'
import { ACCOUNT_EVENTS } from './account-events.ts'
import { ASSIGNMENT_EVENTS } from './assignment-events.ts'
import { CHANNEL_EVENTS } from './channel-events.ts'
import { DOMAIN_EVENTS } from './domain-events.ts'
import { withUnicodeNames, type Level, type NameCounts } from './event-entry.ts'
import { named } from '../named.ts'
import { OPERATION_EVENTS } from './operation-events.ts'
import { RECORD_EVENTS } from './record-events.ts'

export { LEVELS, type Audience, type Level, type NameCounts } from './event-entry.ts'
export type { FactorChange } from './account-events.ts'

/** Every event that people and channels hear of. Other signals between the parts are in events.ts. */
export const CATALOGUE = {
  ...ASSIGNMENT_EVENTS,
  ...DOMAIN_EVENTS,
  ...RECORD_EVENTS,
  ...OPERATION_EVENTS,
  ...ACCOUNT_EVENTS,
  ...CHANNEL_EVENTS,
}

export type AnnouncedName = keyof typeof CATALOGUE
export type MetadataOf<N extends AnnouncedName> = Static<(typeof CATALOGUE)[N]['metadata']>

export const ANNOUNCED = Object.keys(CATALOGUE) as AnnouncedName[]

/** What a message may be about; `connected` is said in the stream alone. */
export const EventName = Type.Unsafe<AnnouncedName | 'connected'>({
  ...named('EventName'),
  type: 'string',
  enum: ['connected', ...ANNOUNCED],
  description: 'What a message is about; `connected` is the first of a stream, and in no list',
  examples: ['domain.expiring'],
})

/** Group and tags of a domain, by which channels choose what they are told of. */
export interface Belonging {
  groupName: string
  tags: string[]
}

/** What the parts emit for an event of the catalogue. */
export interface Announcement<M> {
  metadata: M
  /** Who did it; null is the service itself. To them it is no news. */
  actorId: string | null
  /** With the audience `users`: who hears of it. */
  userIds?: string[]
  /** With the audience `counts`: what the metadata counts, by name. */
  counts?: NameCounts[]
  /** Of a domain that is gone when this is told: where it belonged. */
  belonged?: Belonging
}

/** The words of an event, for people: names as they read them. */
export function describeEvent<N extends AnnouncedName>(name: N, metadata: MetadataOf<N>) {
  const { level, title, content } = CATALOGUE[name] as unknown as {
    level: Level
    title: (metadata: MetadataOf<N>) => string
    content: (metadata: MetadataOf<N>) => string
  }
  const told = withUnicodeNames(metadata)
  return { level, title: title(told), content: content(told) }
}
