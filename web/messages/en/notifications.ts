/** Notifications: each event in words, made of what it carries. */
export const notifications = {
  title: 'Notifications',
  none: 'Nothing new. What happens to your domains and your account is told here.',
  off: 'In-app messages are switched off in your profile.',
  markRead: 'Mark as read',
  markAll: 'Mark all as read',
  delete: 'Delete',
  deleteAll: 'Delete all',
  all: 'All notifications',
  unread: 'unread',
  open: 'Open',
  more: (count: string) => `and ${count} more`,
}
