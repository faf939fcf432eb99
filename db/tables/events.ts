import type { Generated, JSONColumnType } from 'kysely'

/** An event that was stored with its change and is to be told. */
export interface EventsTable {
  position: Generated<number>
  id: string
  name: string
  payload: JSONColumnType<object>
  /** Events of one domain are told in order; null: of no domain. */
  domain_id: string | null
  tries: Generated<number>
  next_try_at: Generated<Date>
  /** Given up. */
  failed_at: Date | null
  created_at: Generated<Date>
}

/** A message to people; one row for all who are told the same. */
export interface NotificationsTable {
  /** In the order in which they were told. */
  position: Generated<number>
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
  position: number
  read: boolean
  /** Who caused it; null: the service. */
  actor_id: string | null
  /** About the safety of the user's account. */
  security: Generated<boolean>
}

/** E-mails of notifications to one address in an hour, by whether people or the service caused them. */
export interface NotificationMailsTable {
  recipient: string
  by_person: boolean
  sent: number
  /** What was beyond the share. */
  held_back: Generated<number>
  resets_at: Date
}

/** An e-mail on its way. */
export interface MailsTable {
  id: string
  recipient: string
  /** Sealed JSON: subject, text, html. */
  content: Buffer
  tries: Generated<number>
  /** Also the end of the lease of the instance that sends it. */
  next_try_at: Generated<Date>
  /** From then on it is not worth sending. */
  expires_at: Date
  created_at: Generated<Date>
}
