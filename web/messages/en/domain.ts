/** One domain: its frame and tabs. */
export const domain = {
  tabs: 'Views of this domain',
  records: 'Records',
  history: 'History',
  sync: 'Sync',
  access: 'Access',
  settings: 'Settings',
  status: { active: 'active', expiring: 'expires soon', expired: 'expired' },
}
