import type { AnnouncedName, Announcement, MetadataOf } from './event-catalogue.ts'

/** What the parts of the service tell each other; payloads are plain data, so that they can cross processes. */
export type Events = Signals & { [N in AnnouncedName]: Announcement<MetadataOf<N>> }

/** What only the service itself needs to know. */
interface Signals {
  /** Messages of other instances may have been missed: what was remembered because of them is worth nothing. */
  'events.missed': Record<string, never>
  /** A session ended, or all of a user's but one: cached sign-ins are dropped. */
  'session.ended': { sessionIds: string[] }
  /** Role, state or name of a user changed, or the user is gone. */
  'user.changed': { userId: string }
  'token.revoked': { tokenId: string }
  /** Which channels there are, and what they are told, is not what was remembered of it. */
  'channels.changed': Record<string, never>
  /** A message was stored for these users: their open streams are sent it. `message` is its JSON. */
  'notification.added': { userIds: string[]; id: string; message: string }
  /** A channel of the kind `web` passes an event of the catalogue on to people who would not hear of it. */
  'notification.wanted': { event: AnnouncedName; metadata: object; to: 'admins' | 'all' }
}

export type EventName = keyof Events

/** What comes with every event. */
export interface EventMeta {
  /** UUIDv7, the same on every instance and for every try. */
  id: string
  /** ISO 8601. */
  at: string
  /** Emitted by this instance: what must be done once, whatever the number of instances, is done by it. */
  own: boolean
}
