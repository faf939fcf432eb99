import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { notify } from '../../plugins/events/queries.ts'
import { signalOf } from '../../schemas/events/events.ts'
import type { Message } from './message.ts'

/** Notifications kept for each user; older ones are deleted. */
export const MAX_KEPT = 200

/** Kept about the account itself, regardless of others. */
const MAX_SECURITY = 50

/** Limit of those caused by one other person. */
export const MAX_BY_PERSON = 50

/** How many beyond that limit are still counted. */
const MAX_COUNTED = 1_000

/** Adds the notification for users who don't have one of its event yet; returns them. */
export async function addNotification(
  trx: Executor,
  message: Message,
  recipients: readonly { id: string; read: boolean }[],
  { actorId, security }: { actorId: string | null; security: boolean },
): Promise<string[]> {
  if (recipients.length === 0) return []
  const { rows } = await sql<{ user_id: string }>`
    with message as (
      insert into notifications (event_id, event, title, content, level, metadata, created_at)
      values (${message.id}, ${message.event}, ${message.title}, ${message.content}, ${message.level},
        ${JSON.stringify(message.metadata)}::jsonb, ${message.at})
      returning position, ${notify(signalOf('notifications.added'))}
    )
    insert into notification_receivers (user_id, event_id, position, read, actor_id, security)
    select receiver.id, ${message.id}::uuid, message.position, receiver.read, ${actorId}::uuid, ${security}
    from message, unnest(
      ${recipients.map(({ id }) => id)}::uuid[], ${recipients.map(({ read }) => read)}::boolean[]
    ) as receiver (id, read)
    where exists (select from users where users.id = receiver.id)
    on conflict (user_id, event_id) do nothing
    returning user_id
  `.execute(trx)
  return rows.map((row) => row.user_id)
}

/** A notification of a user. */
export interface Entry extends Message {
  /** Rises in the order of distribution; a bigint as text. */
  position: string
  read: boolean
  /** On the oldest one of a person beyond their share: how many older ones are hidden. */
  more: number
}

/**
 * The notifications of these users by rank. Notifications caused by one other person get a share of the list; those
 * about the security of the account have reserved places.
 */
const ranked = (whose: RawBuilder<unknown>) => sql`
  select *, (security and of_kind <= ${MAX_SECURITY}) as has_place, is_own or of_actor <= ${MAX_BY_PERSON} as in_share
  from (
    select user_id, position, read, security,
      security or actor_id is null or actor_id = user_id as is_own,
      row_number() over (partition by user_id, security order by position desc) as of_kind,
      row_number() over by_actor as of_actor,
      count(*) over (partition by user_id, security, actor_id) as by_actor
    from notification_receivers where user_id ${whose}
    window by_actor as (partition by user_id, security, actor_id order by position desc)
  ) as entry`

/** The newest notifications of a user, oldest first. */
export async function listEntries(db: Executor, userId: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select message.event_id as id, message.event, message.title, message.content, message.level, message.metadata,
      message.created_at as at, message.position, newest.read,
      case when not is_own and of_actor = ${MAX_BY_PERSON} then by_actor - of_actor else 0 end::int as more
    from (
      select * from (${ranked(sql`= ${userId}`)}) as ranked where in_share
      order by has_place desc, position desc limit ${MAX_KEPT}
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

/** Deletes all notifications, when an instance that is alone on its database stops. */
export const clearAll = (db: Executor) => sql`delete from notification_receivers`.execute(db)

/** Notifications after that position, with which of these users have them unread and read. */
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

const fullLists = sql`in (
  select user_id from notification_receivers group by user_id having count(*) > ${MAX_KEPT}
)`

/** Deletes notifications beyond the limits, and messages without recipients. */
export async function deleteOldEntries(db: Executor): Promise<void> {
  await sql`
    delete from notification_receivers as old using (
      select user_id, position from (
        select user_id, position, in_share, of_actor,
          row_number() over (partition by user_id, in_share order by has_place desc, position desc) as place
        from (${ranked(fullLists)}) as ranked
      ) as placed
      where (in_share and place > ${MAX_KEPT}) or of_actor > ${MAX_BY_PERSON + MAX_COUNTED} and not in_share
    ) as over
    where old.user_id = over.user_id and old.position = over.position
  `.execute(db)
  await sql`
    delete from notifications as message
    where created_at < now() - interval '1 hour'
      and not exists (select from notification_receivers as receiver where receiver.position = message.position)
  `.execute(db)
}
