import type { Kysely } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { Database } from '../../db/tables/index.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { notFound } from '../../plugins/http/errors.ts'
import { requireMatch } from '../../plugins/http/if-match.ts'
import { toNotification } from './message.ts'
import { clearEntries, listEntries, markRead, MAX_KEPT, removeEntry } from './store-queries.ts'

/** Newest first; `unreadCount` ignores the filter. */
export async function listNotifications(
  db: Executor,
  userId: string,
  { unread, limit }: { unread?: boolean; limit: number },
) {
  const entries = (await listEntries(db, userId)).toReversed()
  const wanted = unread === undefined ? entries : entries.filter(({ read }) => read !== unread)
  return {
    notifications: wanted.slice(0, limit).map((entry) => toNotification(entry, entry.read, entry.more)),
    unreadCount: entries.filter(({ read }) => !read).length,
  }
}

export async function markNotificationRead(db: Executor, userId: string, id: string): Promise<void> {
  if (!(await markRead(db, userId, id))) throw notFound('notification', id)
}

export async function removeNotification(db: Executor, userId: string, id: string): Promise<void> {
  if (!(await removeEntry(db, userId, id))) throw notFound('notification', id)
}

/** Deletes all notifications of the caller; with `If-Match`, those of the list it names and none added later. */
export async function clearNotifications(db: Kysely<Database>, caller: Caller): Promise<void> {
  const { userId } = caller
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await requireMatch(caller, () => listNotifications(trx, userId, { limit: MAX_KEPT }))
      await clearEntries(trx, userId)
    })
}
