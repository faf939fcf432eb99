import type { ColumnType, Generated, JSONColumnType } from 'kysely'

export interface ChannelConfigsTable {
  id: string
  channel:
    | 'chat_a'
    | 'chat_b'
    | 'slack'
    | 'discord'
    | 'telegram'
    | 'google_chat'
    | 'teams'
    | 'mattermost'
    | 'ntfy'
    | 'email'
    | 'webhook'
    | 'web'
  name: string
  /** Sealed JSON: addresses of robots are secrets too. */
  config: Buffer
  events: string[]
  /** Of the domains in one of these groups alone; empty: of all, and of what is about no domain. */
  domain_groups: Generated<string[]>
  /** The same with tags. */
  domain_tags: Generated<string[]>
  enabled: boolean
  last_delivery_at: Date | null
  last_delivery_ok: boolean | null
  last_delivery_error: string | null
  /** What it is, for programs; null also for what failed before there were codes. */
  last_delivery_error_code: string | null
  last_delivery_error_params: ColumnType<
    Record<string, unknown> | null,
    string | null | undefined,
    string | null
  >
  /** After a failure nothing is sent before. */
  next_try_at: Generated<Date>
  /** When the messages so far would have been sent at an even pace: how far ahead it may be is the burst. */
  paced_until: Generated<Date>
  /** Tries in vain since the last success or change. */
  failures: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** A message as it was when its event happened. */
export interface StoredMessage {
  id: string
  event: string
  title: string
  content: string
  level: string
  metadata: object
  /** ISO 8601. */
  createdAt: string
}

/** The outbox: one event for one channel. */
export interface DeliveriesTable {
  id: string
  channel_id: string
  event_id: string
  event: string
  message: JSONColumnType<StoredMessage>
  status: 'pending' | 'delivered' | 'dead'
  tries: Generated<number>
  next_try_at: Generated<Date>
  last_try_at: Date | null
  last_error: string | null
  last_error_code: string | null
  last_error_params: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
  delivered_at: Date | null
  created_at: Generated<Date>
}
