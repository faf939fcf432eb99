/** One domain: its frame and tabs. */
export const domain = {
  tabs: 'Views of this domain',
  records: 'Records',
  history: 'History',
  sync: 'Sync',
  access: 'Access',
  settings: 'Settings',
  /** Under the name; what has not expired yet ends that day. */
  expires: (day: string) => `registered until ${day}`,
  status: { active: 'active', expiring: 'expires soon', expired: 'expired' },
}
