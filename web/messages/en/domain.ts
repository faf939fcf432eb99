export const domain = {
  tabs: 'Views of this domain',
  records: 'Records',
  history: 'History',
  changeRequests: 'Change requests',
  health: 'Health',
  sync: 'Sync',
  mirrors: 'Mirrors',
  access: 'Access',
  settings: 'Settings',
  /** Shown below the name; until the date has passed. */
  expires: (day: string) => `registered until ${day}`,
  outOfSync: 'differs from the provider',
  status: { active: 'active', expiring: 'expires soon', expired: 'expired' },
}
