import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const sync = {
  about: (provider: string) =>
    `“${provider}” is the source of truth: a sync makes the records here match it. Nothing changes at the provider.`,
  local:
    'This domain is managed manually: its records exist only in Zonekeeper, so there is nothing to sync. To have them served, switch the domain to a provider.',
  toSettings: 'Go to settings',
  last: 'Last successful sync',
  lastError: 'The last sync failed:',
  interval: 'Automatic sync',
  every: (time: string) => `every ${time}`,
  off: 'off',
  comparing: 'Comparing with the provider',
  again: 'Compare again',
  same: 'Already in sync. Nothing to do.',
  counts: {
    created: (count: number) => plural(count, { one: '# to add', other: '# to add' }),
    updated: (count: number) => plural(count, { one: '# to change', other: '# to change' }),
    deleted: (count: number) => plural(count, { one: '# to delete', other: '# to delete' }),
    unchanged: (count: number) => plural(count, { one: '# unchanged', other: '# unchanged' }),
    skipped: (count: number) => plural(count, { one: '# unmanaged', other: '# unmanaged' }),
  },
  onlyFirst: (count: string) => `Showing the first ${count} of each kind; the counts include all.`,
  table: 'Differences',
  columns: { record: 'Record', here: 'Here', there: 'At the provider', after: 'After sync' },
  nothing: 'none',
  after: { created: 'added', updated: 'changed', deleted: 'deleted' },
  apply: (count: number) => plural(count, { one: 'Sync # difference', other: 'Sync # differences' }),
  done: 'Records now match the provider',
  putBack: 'Put back at the provider',
  putBackTitle: 'Put back what is stored here?',
  putBackAbout:
    'The provider’s records are changed to match those here. What was changed there is lost; the history keeps it.',
  putBackDone: 'The provider’s records now match those here',
  muchBackTitle: 'Change this much at the provider?',
  muchBack: (count: number, known: number) =>
    plural(count, {
      one: `# record differs, of ${known} here.`,
      other: `# records differ, of ${known} here.`,
    }),
  back: {
    added: (count: number) =>
      plural(count, { one: '# record is added there', other: '# records are added there' }),
    changed: (count: number) =>
      plural(count, { one: '# record is changed there', other: '# records are changed there' }),
    deleted: (count: number) =>
      plural(count, { one: '# record is deleted there', other: '# records are deleted there' }),
  },
  muchBackWhy:
    'This is a large part of the zone. If the records at the provider are right, sync instead. The history keeps what is replaced.',
  muchTitle: 'Delete this many records here?',
  much: (deleted: number, kept: string) =>
    plural(deleted, {
      one: `# record here no longer exists at the provider; ${kept} would remain.`,
      other: `# records here no longer exist at the provider; ${kept} would remain.`,
    }),
  muchWhy:
    'This is a large part of the zone. If the zone at the provider is wrong, fix it there first. The history keeps the deleted records.',
  force: (count: number) => plural(count, { one: 'Delete # record here', other: 'Delete # records here' }),
}
