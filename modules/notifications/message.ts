import { describeEvent, type AnnouncedName, type MetadataOf } from '../../schemas/event-catalogue.ts'
import type { EventMeta } from '../../schemas/events.ts'
import type { Notification } from '../../schemas/notification.ts'
import type { Entry, Message } from './store/contract.ts'

/** A message is kept for many users; of a change of thousands of records these say enough. */
export const MAX_RECORDS_TOLD = 100

/** The words of an event for those who see this much of it. */
export function toMessage(name: AnnouncedName, metadata: object, { id, at }: EventMeta): Message {
  const { title, content, level } = describeEvent(name, metadata as MetadataOf<typeof name>)
  return { event: name, id, title, content, level, createdAt: at, metadata: shortened(metadata) }
}

const shortened = (metadata: object & { records?: unknown[] }): object =>
  metadata.records === undefined
    ? metadata
    : { ...metadata, records: metadata.records.slice(0, MAX_RECORDS_TOLD) }

export function toNotification({ message, read }: Pick<Entry, 'message' | 'read'>): Notification {
  const { event, id, title, content, level, createdAt, metadata } = message
  return { event, id, title, content, level, read, createdAt, metadata }
}
