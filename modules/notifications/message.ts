import {
  describeEvent,
  type AnnouncedName,
  type Level,
  type MetadataOf,
} from '../../schemas/events/event-catalogue.ts'
import type { Notification } from '../../schemas/events/notification.ts'

/** The parts of a notification that all recipients share. */
export interface Message {
  /** Id of the event. */
  id: string
  event: AnnouncedName
  title: string
  content: string
  level: Level
  metadata: object
  at: Date
}

/** Limit of stored records: enough to describe a change of thousands. */
export const MAX_RECORDS_TOLD = 100

/** The message of an event, with the given metadata. */
export function toMessage(
  event: AnnouncedName,
  metadata: object,
  { id, at }: Pick<Message, 'id' | 'at'>,
): Message {
  const words = describeEvent(event, metadata as MetadataOf<typeof event>)
  return { id, event, ...words, metadata: shortened(metadata), at }
}

const shortened = (metadata: object & { records?: unknown[] }): object =>
  metadata.records === undefined
    ? metadata
    : { ...metadata, records: metadata.records.slice(0, MAX_RECORDS_TOLD) }

export const toNotification = (
  { event, id, title, content, level, metadata, at }: Message,
  read: boolean,
  more = 0,
): Notification => ({
  event,
  id,
  title,
  content,
  level,
  read,
  createdAt: at.toISOString(),
  metadata,
  ...(more > 0 && { more }),
})
