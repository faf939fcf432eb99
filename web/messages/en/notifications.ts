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
  signedInFrom: (address: string, device: string) =>
    `From ${address}, with ${device}. If that was not you, change the password and end the session.`,
  device: (browser: string, system: string) => `${browser} on ${system}`,
  anotherProgram: 'another program',
  unknownAddress: 'an unknown address',
  expires: (day: string) => `The registration ends on ${day}. Renew it at its registrar in time.`,
  expired: (day: string) =>
    `The registration ended on ${day}. Renew it at its registrar before somebody else takes the name.`,
  more: (count: string) => `and ${count} more`,
}
