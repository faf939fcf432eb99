import type { Generated, JSONColumnType } from 'kysely'

/** An event stored with its change, to be distributed. */
export interface EventsTable {
  /** A bigint as text, like all positions. */
  position: Generated<string>
  id: string
  name: string
  payload: JSONColumnType<object>
  /** Events of one domain are distributed in order; null if it concerns no domain. */
  domain_id: string | null
  tries: Generated<number>
  next_try_at: Generated<Date>
  /** No further attempts are made. */
  failed_at: Date | null
  created_at: Generated<Date>
}

/** A notification; one row for all receivers. */
export interface NotificationsTable {
  /** In order of distribution. */
  position: Generated<string>
  event_id: string
  event: string
  title: string
  content: string
  level: string
  metadata: JSONColumnType<object>
  created_at: Date
}

export interface NotificationReceiversTable {
  user_id: string
  event_id: string
  position: string
  read: boolean
  /** The user who caused it; null for the service. */
  actor_id: string | null
  /** Concerns the security of the user's account. */
  security: Generated<boolean>
}

/** Notification emails to one address in an hour, separately for those caused by users and by the service. */
export interface NotificationMailsTable {
  recipient: string
  by_person: boolean
  sent: number
  /** Number of emails over the limit. */
  held_back: Generated<number>
  resets_at: Date
}

/** An email to be sent. */
export interface MailsTable {
  id: string
  recipient: string
  /** Encrypted JSON: subject, text, html. */
  content: Buffer
  tries: Generated<number>
  /** Also the end of the sending instance's lease. */
  next_try_at: Generated<Date>
  /** Not sent after this time. */
  expires_at: Date
  created_at: Generated<Date>
}
