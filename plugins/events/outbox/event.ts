import { v7 as uuidv7 } from 'uuid'
import { toUnicodeName } from '../../../dns/names/names.ts'
import type { AnnouncedName, Announcement, MetadataOf } from '../../../schemas/events/event-catalogue.ts'

/** What the outbox stores, by event name. */
export type Payloads = { [N in AnnouncedName]: Announcement<MetadataOf<N>> } & {
  /** A channel of the kind `web` passes an event on to people it would not reach otherwise. */
  'notification.wanted': {
    event: AnnouncedName
    /** Whoever was already notified of this event gets nothing. */
    eventId: string
    /** ISO 8601. */
    at: string
    metadata: object
    to: 'admins' | 'all'
  }
}

export type StoredName = keyof Payloads

/** An event as consumers get it. */
export type StoredEvent<N extends StoredName = StoredName> = {
  [K in N]: {
    /** Rises in the order of distribution; a bigint as text. */
    position: string
    /** UUIDv7, the same for every attempt and recipient. */
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

/** An event to be stored; DNS names get their Unicode forms added. */
export function newEvent<N extends StoredName>(name: N, payload: Payloads[N]): NewEvent {
  const { metadata } = payload
  const domainId = 'domainId' in metadata ? metadata.domainId : null
  return {
    id: uuidv7(),
    name,
    payload: { ...payload, metadata: { ...metadata, ...unicodeNamesIn(metadata) } },
    domain_id: domainId,
  }
}

function unicodeNamesIn(metadata: object) {
  const { domainName, host, records } = metadata as {
    domainName?: string | null
    host?: string
    records?: readonly { name: string }[]
  }
  return {
    ...(typeof domainName === 'string' && { unicodeName: toUnicodeName(domainName) }),
    ...(host !== undefined && { unicodeHost: toUnicodeName(host) }),
    ...(records && { records: records.map(withUnicodeName) }),
  }
}

function withUnicodeName<R extends { name: string }>(record: R): R {
  const unicodeName = toUnicodeName(record.name)
  return unicodeName === record.name ? record : { ...record, unicodeName }
}
