import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const dashboard = {
  title: 'Dashboard',
  domains: 'Domains',
  counts: { total: 'total', active: 'active', expiring: 'expiring soon', expired: 'expired' },
  expiries: 'Upcoming expirations',
  expiriesAbout: 'The next twelve months, by week.',
  noExpiries: 'No domain has an expiry date yet.',
  asTable: 'Show as table',
  week: 'Week of',
  overdue: (count: number) => plural(count, { one: '# is overdue', other: '# are overdue' }),
  inWeek: (week: string, count: number) =>
    plural(count, { one: `${week}: # domain`, other: `${week}: # domains` }),
  lead: (days: number) =>
    plural(days, { one: 'reminders start # day before', other: 'reminders start # days before' }),
  today: 'today',
  lookAtBar: 'Point at a bar or use the arrow keys to see its domains.',
  allOfBar: (count: number) => plural(count, { one: 'Show it', other: 'Show all #' }),
  next: 'Expiring next',
  none: 'None.',
  health: 'Health',
  findings: { error: 'health errors', warning: 'health warnings', info: 'health notes' },
  failures: 'Recent failures',
  failureKinds: { sync: 'Sync', change: 'Change', channel: 'Channel' },
  noFailures: 'No recent failures.',
  unmanaged: 'Unmanaged records',
  latest: 'Recent changes',
  empty: 'No domains yet. Connect a DNS provider, then import its zones.',
  connect: 'Connect DNS provider',
  guide: {
    title: 'First steps',
    close: 'Hide first steps',
    open: 'Show first steps',
    done: 'done',
    secured: { text: 'Protect your account with a second factor or a passkey', action: 'Set up' },
    provider: {
      text: 'Connect a DNS provider. To try things out, choose “Manual”, which keeps records here without publishing them',
      action: 'Connect provider',
    },
    domains: { text: 'Import your domains', action: 'Add domains' },
    records: { text: 'Add your first record', action: 'Open domain' },
    expiry: { text: 'Monitor an expiry date', action: 'Open domains' },
    people: { text: 'Invite a user', action: 'Invite' },
    outside: { text: 'Get notified by email or chat', action: 'Add channel' },
    https: { text: 'Enable HTTPS with a reverse proxy', action: 'Read how' },
  },
}
