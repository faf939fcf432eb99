import type { Executor } from '../../db/connect.ts'
import { notFound } from '../../plugins/errors.ts'
import { toNotification } from './message.ts'
import { listEntries, markRead, removeEntry } from './store-queries.ts'

/** The newest first; `unreadCount` is that of all, whatever the filter. */
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
