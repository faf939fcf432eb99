import { Type, type Static } from '@sinclair/typebox'
import { ACCOUNT_EVENTS } from './account-events.ts'
import { ASSIGNMENT_EVENTS } from './assignment-events.ts'
import { CHANGE_EVENTS } from './change-events.ts'
import { CHANGE_REQUEST_EVENTS } from './change-request-events.ts'
import { CHANNEL_EVENTS } from './channel-events.ts'
import { DOMAIN_EVENTS } from './domain-events.ts'
import { withUnicodeNames, type Level, type NameCounts } from './event-entry.ts'
import { named } from '../named.ts'
import { FAILOVER_EVENTS } from './failover-events.ts'
import { MIRROR_EVENTS } from './mirror-events.ts'
import { OPERATION_EVENTS } from './operation-events.ts'
import { RECORD_EVENTS } from './record-events.ts'

export { Level, type Audience, type NameCounts } from './event-entry.ts'
export type { FactorChange } from './account-events.ts'

/** Events announced to people and channels. Internal signals are in events.ts. */
export const CATALOGUE = {
  ...ASSIGNMENT_EVENTS,
  ...DOMAIN_EVENTS,
  ...MIRROR_EVENTS,
  ...RECORD_EVENTS,
  ...CHANGE_EVENTS,
  ...CHANGE_REQUEST_EVENTS,
  ...FAILOVER_EVENTS,
  ...OPERATION_EVENTS,
  ...ACCOUNT_EVENTS,
  ...CHANNEL_EVENTS,
}

export type AnnouncedName = keyof typeof CATALOGUE
export type MetadataOf<N extends AnnouncedName> = Static<(typeof CATALOGUE)[N]['metadata']>

export const ANNOUNCED = Object.keys(CATALOGUE) as AnnouncedName[]

export const EventName = Type.Unsafe<AnnouncedName | 'connected'>({
  ...named('EventName'),
  type: 'string',
  enum: ['connected', ...ANNOUNCED],
  description: 'Event of the message; `connected` is the first message of a stream and never in lists',
  examples: ['domain.expiring'],
})

/** Group and tags of a domain, by which channels filter events. */
export interface Belonging {
  groupName: string
  tags: string[]
}

/** What a module passes to announce an event. */
export interface Announcement<M> {
  metadata: M
  /** Who caused it and is therefore not notified; null for the service itself. */
  actorId: string | null
  /** With the audience `users`: the recipients. */
  userIds?: string[]
  /** With the audience `counts`: the counts of the metadata by name. */
  counts?: NameCounts[]
  /** For a deleted domain: its former group and tags. */
  belonged?: Belonging
}

/** Returns the texts of an event, with names in Unicode. */
export function describeEvent<N extends AnnouncedName>(name: N, metadata: MetadataOf<N>) {
  const { level, title, content } = CATALOGUE[name] as unknown as {
    level: Level
    title: (metadata: MetadataOf<N>) => string
    content: (metadata: MetadataOf<N>) => string
  }
  const told = withUnicodeNames(metadata)
  return { level, title: title(told), content: content(told) }
}
