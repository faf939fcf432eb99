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
  /** Encrypted JSON; webhook URLs are secrets too. */
  config: Buffer
  events: string[]
  /** Only events of domains in one of these groups; empty means all events, including those of no domain. */
  domain_groups: Generated<string[]>
  /** As `groups`, by tag. */
  domain_tags: Generated<string[]>
  enabled: boolean
  last_delivery_at: Date | null
  last_delivery_ok: boolean | null
  last_delivery_error: string | null
  /** Machine-readable code of the failure; null also for failures older than the codes. */
  last_delivery_error_code: string | null
  last_delivery_error_params: ColumnType<
    Record<string, unknown> | null,
    string | null | undefined,
    string | null
  >
  /** After a failure, nothing is sent before this time. */
  next_try_at: Generated<Date>
  /**
   * When the messages so far would have been sent at an even pace; how far this may be in the future limits
   * the burst.
   */
  paced_until: Generated<Date>
  /** Failed attempts since the last success or change. */
  failures: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** A message as it was at the time of its event. */
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
