import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { notify } from '../../plugins/events/queries.ts'
import { signalOf } from '../../schemas/events/events.ts'
import type { Message } from './message.ts'

/** Messages that each user has; older ones give way. */
export const MAX_KEPT = 200

/** Of these so many about the account itself stay, whatever else comes. */
const MAX_SECURITY = 50

/** And so many at most that one other person caused. */
export const MAX_BY_PERSON = 50

/** Of what is beyond that, so many are still counted. */
const MAX_COUNTED = 1_000

/** Gives the message to those users who don't have one of its event yet; answers who got it. */
export async function addNotification(
  trx: Executor,
  message: Message,
  receivers: readonly { id: string; read: boolean }[],
  { actorId, security }: { actorId: string | null; security: boolean },
): Promise<string[]> {
  if (receivers.length === 0) return []
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
  /** On the oldest of a person who has more than their share: how many older ones are not shown. */
  more: number
}

/**
 * The messages of these users by their rank: of their kind, and of whom caused them. What one other person
 * causes has a share of the list, and what is about the safety of the account a place that nothing else takes.
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

/** The newest messages of a user, oldest first. */
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

const fullLists = sql`in (
  select user_id from notification_receivers group by user_id having count(*) > ${MAX_KEPT}
)`

/** Takes from each user what is over the number that is kept, and forgets messages that nobody has. */
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
