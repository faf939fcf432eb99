import { notFound } from '../../plugins/errors.ts'
import { toNotification } from './message.ts'
import type { NotificationStore } from './store/contract.ts'

/** The newest first; `unreadCount` is that of all, whatever the filter. */
export async function listNotifications(
  store: NotificationStore,
  userId: string,
  { unread, limit }: { unread?: boolean; limit: number },
) {
  const entries = (await store.list(userId)).toReversed()
  const wanted = unread === undefined ? entries : entries.filter(({ read }) => read !== unread)
  return {
    notifications: wanted.slice(0, limit).map(toNotification),
    unreadCount: entries.filter(({ read }) => !read).length,
  }
}

export async function markRead(store: NotificationStore, userId: string, id: string): Promise<void> {
  if (!(await store.markRead(userId, id))) throw notFound('notification', id)
}

export async function removeNotification(
  store: NotificationStore,
  userId: string,
  id: string,
): Promise<void> {
  if (!(await store.remove(userId, id))) throw notFound('notification', id)
}
