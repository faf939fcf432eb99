import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connect.ts'
import type { AnnouncedName, Announcement, MetadataOf } from '../../schemas/event-catalogue.ts'
import { insertEvents } from './queries.ts'

/** All that is stored to be told, by name. */
export type Payloads = { [N in AnnouncedName]: Announcement<MetadataOf<N>> } & {
  /** A channel of the kind `web` passes an event on to people who would not hear of it. */
  'notification.wanted': {
    event: AnnouncedName
    /** Of the event: who has heard of it hears nothing. */
    eventId: string
    /** ISO 8601. */
    at: string
    metadata: object
    to: 'admins' | 'all'
  }
}

export type StoredName = keyof Payloads

/** An event as it is told. */
export type StoredEvent<N extends StoredName = StoredName> = {
  [K in N]: {
    /** Rises in the order in which events are told; a bigint as text. */
    position: string
    /** UUIDv7, the same for every try and every receiver. */
    id: string
    name: K
    payload: Payloads[K]
    at: Date
  }
}[N]

export interface NewEvent {
  id: string
  name: StoredName
  payload: object
  domain_id: string | null
}

export function newEvent<N extends StoredName>(name: N, payload: Payloads[N]): NewEvent {
  const { metadata } = payload
  const domainId = 'domainId' in metadata ? metadata.domainId : null
  return { id: uuidv7(), name, payload, domain_id: domainId }
}

/**
 * Stores an event in the transaction of the change that it tells of. After the commit it is told: to people
 * and channels, in order for each domain, and at least once, whatever ends in between.
 */
export async function announce<N extends StoredName>(
  trx: Executor,
  name: N,
  payload: Payloads[N],
): Promise<void> {
  await insertEvents(trx, [newEvent(name, payload)])
}

/** The same for many at once. */
export async function announceAll(trx: Executor, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await insertEvents(trx, events)
}
