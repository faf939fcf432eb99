import { v7 as uuidv7 } from 'uuid'
import { toUnicodeName } from '../../../dns/names/names.ts'
import type { AnnouncedName, Announcement, MetadataOf } from '../../../schemas/events/event-catalogue.ts'

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

/** An event to be stored; names of DNS get those that people read beside them. */
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
