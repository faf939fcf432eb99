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
  const receiver = sql<{ id: string; read: boolean }>`unnest(
    ${recipients.map(({ id }) => id)}::uuid[], ${recipients.map(({ read }) => read)}::boolean[]
  )`.as<'receiver'>(sql`receiver (id, read)`)
  const rows = await trx
    .with('message', (cte) =>
      cte
        .insertInto('notifications')
        .values({
          event_id: message.id,
          event: message.event,
          title: message.title,
          content: message.content,
          level: message.level,
          metadata: JSON.stringify(message.metadata),
          created_at: message.at,
        })
        .returning(['event_id', 'position', notify(signalOf('notifications.added')).as('notified')]),
    )
    .insertInto('notification_receivers')
    .columns(['user_id', 'event_id', 'position', 'read', 'actor_id', 'security'])
    .expression((eb) =>
      eb
        .selectFrom(['message', receiver])
        .select(['receiver.id', 'message.event_id', 'message.position', 'receiver.read'])
        .select([sql<string>`${actorId}::uuid`.as('actor_id'), eb.lit(security).as('security')])
        .where((eb) => eb.exists(eb.selectFrom('users').whereRef('users.id', '=', 'receiver.id'))),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'event_id']).doNothing())
    .returning('user_id')
    .execute()
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

interface Ranked {
  position: string
  read: boolean
  has_place: boolean
  in_share: boolean
}

/**
 * The notifications of these users by rank. Notifications caused by one other person get a share of the list; those
 * about the security of the account have reserved places.
 */
const ranked = (whose: RawBuilder<unknown>) => sql<Ranked>`(
  select *, (security and of_kind <= ${MAX_SECURITY}) as has_place, is_own or of_actor <= ${MAX_BY_PERSON} as in_share
  from (
    select user_id, position, read, security,
      security or actor_id is null or actor_id = user_id as is_own,
      row_number() over (partition by user_id, security order by position desc) as of_kind,
      row_number() over by_actor as of_actor,
      count(*) over (partition by user_id, security, actor_id) as by_actor
    from notification_receivers where user_id ${whose}
    window by_actor as (partition by user_id, security, actor_id order by position desc)
  ) as entry)`

const MESSAGE = [
  'message.event_id as id',
  'message.event',
  'message.title',
  'message.content',
  'message.level',
  'message.metadata',
  'message.created_at as at',
  'message.position',
] as const

/** The newest notifications of a user, oldest first. */
export const listEntries = (db: Executor, userId: string): Promise<Entry[]> =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom(ranked(sql`= ${userId}`).as('ranked'))
        .selectAll()
        .where('in_share', '=', true)
        .orderBy('has_place', 'desc')
        .orderBy('position', 'desc')
        .limit(MAX_KEPT)
        .as('newest'),
    )
    .innerJoin('notifications as message', 'message.position', 'newest.position')
    .select(MESSAGE)
    .select([
      'newest.read',
      sql<number>`case when not is_own and of_actor = ${MAX_BY_PERSON} then by_actor - of_actor else 0 end::int`.as(
        'more',
      ),
    ])
    .orderBy('message.position')
    .$castTo<Entry>()
    .execute()

export async function markRead(db: Executor, userId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notification_receivers')
    .set({ read: true })
    .where('user_id', '=', userId)
    .where('event_id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const markAllRead = (db: Executor, userId: string) =>
  db
    .updateTable('notification_receivers')
    .set({ read: true })
    .where('user_id', '=', userId)
    .where('read', '=', false)
    .execute()

export async function removeEntry(db: Executor, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_receivers')
    .where('user_id', '=', userId)
    .where('event_id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const clearEntries = (db: Executor, userId: string) =>
  db.deleteFrom('notification_receivers').where('user_id', '=', userId).execute()

/** Deletes all notifications, when an instance that is alone on its database stops. */
export const clearAll = (db: Executor) => db.deleteFrom('notification_receivers').execute()

/** Notifications after that position, with which of these users have them unread and read. */
interface StoredNotification extends Message {
  position: string
  unread: string[]
  seen: string[]
}

export function notificationsAfter(
  db: Executor,
  position: string,
  userIds: readonly string[],
  limit: number,
): Promise<StoredNotification[]> {
  const receiversWho = (read: boolean) =>
    sql<string[]>`array(select user_id from notification_receivers as receiver
      where receiver.position = message.position and user_id = any(${userIds}::uuid[]) and read = ${read})`
  return db
    .selectFrom('notifications as message')
    .select(MESSAGE)
    .select([receiversWho(false).as('unread'), receiversWho(true).as('seen')])
    .where('message.position', '>', position)
    .orderBy('message.position')
    .limit(limit)
    .$castTo<StoredNotification>()
    .execute()
}

export async function lastPosition(db: Executor): Promise<string> {
  const { last } = await db
    .selectFrom('notifications')
    .select(sql<string>`coalesce(max(position), 0)::text`.as('last'))
    .executeTakeFirstOrThrow()
  return last
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
        from ${ranked(fullLists)} as ranked
      ) as placed
      where (in_share and place > ${MAX_KEPT}) or of_actor > ${MAX_BY_PERSON + MAX_COUNTED} and not in_share
    ) as over
    where old.user_id = over.user_id and old.position = over.position
  `.execute(db)
  await db
    .deleteFrom('notifications as message')
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notification_receivers as receiver')
            .whereRef('receiver.position', '=', 'message.position'),
        ),
      ),
    )
    .execute()
}
