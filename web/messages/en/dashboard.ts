import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const dashboard = {
  title: 'Dashboard',
  domains: 'Domains',
  counts: { total: 'all', active: 'active', expiring: 'expire soon', expired: 'expired' },
  expiries: 'When domains expire',
  expiriesAbout: 'The next twelve months, week by week.',
  noExpiries: 'No domain has an expiry date yet.',
  asTable: 'As a table',
  week: 'Week of',
  overdue: (count: number) => plural(count, { one: '# is overdue', other: '# are overdue' }),
  inWeek: (week: string, count: number) =>
    plural(count, { one: `${week}: # domain`, other: `${week}: # domains` }),
  lead: (days: number) => plural(days, { one: 'reminders reach # day', other: 'reminders reach # days' }),
  today: 'today',
  lookAtBar: 'Point at a bar, or reach it by the arrow keys, to see its domains.',
  allOfBar: (count: number) => plural(count, { one: 'See it', other: 'See all #' }),
  next: 'The next to expire',
  none: 'None.',
  failures: 'What failed last',
  failureKinds: { sync: 'Sync', change: 'Change', channel: 'Channel' },
  noFailures: 'Nothing failed lately.',
  unmanaged: 'Records not managed here',
  latest: 'Latest',
  empty: 'No domains yet. Connect a DNS host, then bring in its zones.',
  connect: 'Connect a DNS host',
  guide: {
    title: 'First steps',
    about: 'Each is ticked when it is done.',
    close: 'Hide these steps',
    open: 'Show the first steps',
    done: 'done',
    secured: { text: 'Secure your account by a second factor or a passkey', action: 'Set it up' },
    provider: {
      text: 'Connect a DNS host. Without one at hand take “Manual”: records are kept here then, and nobody publishes them',
      action: 'Connect one',
    },
    domains: { text: 'Bring in your domains', action: 'Add domains' },
    records: { text: 'Make a first record', action: 'Open a domain' },
    expiry: { text: 'Have an expiry date watched', action: 'See domains' },
    people: { text: 'Invite somebody', action: 'Invite' },
    outside: { text: 'Be told outside of this page: by e-mail or in a chat', action: 'Add a channel' },
    https: { text: 'Serve this by https, behind a reverse proxy', action: 'How' },
  },
}
