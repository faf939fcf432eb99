export const notifications = {
  /** Titles of events; the service sends the English ones itself. */
  titles: {} as Readonly<Record<string, string>>,
  title: 'Notifications',
  none: 'No notifications. You’ll see news about your domains and your account here.',
  off: 'In-app notifications are turned off in your profile.',
  markRead: 'Mark as read',
  markAll: 'Mark all as read',
  delete: 'Delete',
  deleteAll: 'Delete all',
  all: 'All notifications',
  unread: 'unread',
  open: 'Open',
  signedInFrom: (address: string, device: string) =>
    `From ${address}, with ${device}. If this wasn’t you, change your password and end the session.`,
  device: (browser: string, system: string) => `${browser} on ${system}`,
  anotherProgram: 'another program',
  unknownAddress: 'an unknown address',
  expires: (day: string) => `The registration ends on ${day}. Renew it at the registrar before then.`,
  expired: (day: string) =>
    `The registration ended on ${day}. Renew it at the registrar before someone else registers the name.`,
  more: (count: string) => `and ${count} more`,
}
