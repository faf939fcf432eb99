import { sql } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import { notify } from '../../plugins/events/queries.ts'
import { signalOf } from '../../schemas/events.ts'
import type { Message } from './message.ts'

/** Messages that each user has; older ones give way. */
export const MAX_KEPT = 200

/** Gives the message to those users who don't have one of its event yet; answers who got it. */
export async function addNotification(
  trx: Executor,
  message: Message,
  receivers: readonly { id: string; read: boolean }[],
): Promise<string[]> {
  if (receivers.length === 0) return []
  const { rows } = await sql<{ user_id: string }>`
    with message as (
      insert into notifications (event_id, event, title, content, level, metadata, created_at)
      values (${message.id}, ${message.event}, ${message.title}, ${message.content}, ${message.level},
        ${JSON.stringify(message.metadata)}::jsonb, ${message.at})
      returning position, ${notify(signalOf('notifications.added'))}
    )
    insert into notification_receivers (user_id, event_id, position, read)
    select receiver.id, ${message.id}::uuid, message.position, receiver.read
    from message, unnest(
      ${receivers.map(({ id }) => id)}::uuid[], ${receivers.map(({ read }) => read)}::boolean[]
    ) as receiver (id, read)
    where exists (select from users where users.id = receiver.id)
    on conflict (user_id, event_id) do nothing
    returning user_id
  `.execute(trx)
  return rows.map((row) => row.user_id)
}

/** A message of a user. */
export interface Entry extends Message {
  /** Rises in the order in which messages were given; a bigint as text. */
  position: string
  read: boolean
}

/** The newest messages of a user, oldest first. */
export async function listEntries(db: Executor, userId: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select message.event_id as id, message.event, message.title, message.content, message.level, message.metadata,
      message.created_at as at, message.position, newest.read
    from (
      select position, read from notification_receivers
      where user_id = ${userId} order by position desc limit ${MAX_KEPT}
    ) as newest join notifications as message using (position)
    order by message.position
  `.execute(db)
  return rows
}

export async function markRead(db: Executor, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    update notification_receivers set read = true
    where user_id = ${userId} and event_id = ${id} returning event_id
  `.execute(db)
  return rows.length > 0
}

export const markAllRead = (db: Executor, userId: string) =>
  sql`update notification_receivers set read = true where user_id = ${userId} and not read`.execute(db)

export async function removeEntry(db: Executor, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from notification_receivers where user_id = ${userId} and event_id = ${id} returning event_id
  `.execute(db)
  return rows.length > 0
}

export const clearEntries = (db: Executor, userId: string) =>
  sql`delete from notification_receivers where user_id = ${userId}`.execute(db)

/** Of everybody: at the end of a service that is alone on its database. */
export const clearAll = (db: Executor) => sql`delete from notification_receivers`.execute(db)

/** What these users were given after that position; by message, who has it unread and who read. */
interface StoredNotification extends Message {
  position: string
  unread: string[]
  seen: string[]
}

export async function notificationsAfter(
  db: Executor,
  position: string,
  userIds: readonly string[],
  limit: number,
): Promise<StoredNotification[]> {
  const { rows } = await sql<StoredNotification>`
    select message.event_id as id, message.event, message.title, message.content, message.level, message.metadata,
      message.created_at as at, message.position,
      array(select user_id from notification_receivers as receiver
        where receiver.position = message.position and user_id = any(${userIds}::uuid[]) and not read) as unread,
      array(select user_id from notification_receivers as receiver
        where receiver.position = message.position and user_id = any(${userIds}::uuid[]) and read) as seen
    from notifications as message where message.position > ${position}::bigint
    order by message.position limit ${limit}
  `.execute(db)
  return rows
}

export async function lastPosition(db: Executor): Promise<string> {
  const { rows } = await sql<{ last: string }>`
    select coalesce(max(position), 0)::text as last from notifications
  `.execute(db)
  return rows[0]?.last ?? '0'
}

/** Takes from each user what is over the number that is kept, and forgets messages that nobody has. */
export async function deleteOldEntries(db: Executor): Promise<void> {
  await sql`
    delete from notification_receivers as old using (
      select user_id from notification_receivers group by user_id having count(*) > ${MAX_KEPT}
    ) as full_list, lateral (
      select position from notification_receivers where user_id = full_list.user_id
      order by position desc offset ${MAX_KEPT - 1} limit 1
    ) as oldest
    where old.user_id = full_list.user_id and old.position < oldest.position
  `.execute(db)
  await sql`
    delete from notifications as message
    where created_at < now() - interval '1 hour'
      and not exists (select from notification_receivers as receiver where receiver.position = message.position)
  `.execute(db)
}
