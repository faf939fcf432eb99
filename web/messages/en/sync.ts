import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** Making the records here what the provider holds. */
export const sync = {
  about: (provider: string) =>
    `What “${provider}” holds counts: a sync makes the records here the same. Nothing changes at the provider.`,
  local:
    'This domain is kept by hand: its records are in Zonekeeper alone, so there is nothing to sync with. To have them served, switch the domain to a provider.',
  toSettings: 'To the settings',
  last: 'Last sync that succeeded',
  lastError: 'The last sync failed:',
  interval: 'Automatic sync',
  every: (time: string) => `every ${time}`,
  off: 'off',
  comparing: 'Comparing with the provider',
  again: 'Compare again',
  same: 'Here is what the provider holds. There is nothing to do.',
  counts: {
    created: (count: number) => plural(count, { one: '# comes', other: '# come' }),
    updated: (count: number) => plural(count, { one: '# changes', other: '# change' }),
    deleted: (count: number) => plural(count, { one: '# goes', other: '# go' }),
    unchanged: (count: number) => plural(count, { one: '# stays', other: '# stay' }),
    skipped: (count: number) => plural(count, { one: '# not managed here', other: '# not managed here' }),
  },
  onlyFirst: (count: string) => `Of each kind the first ${count} are listed; the counts are of all.`,
  table: 'Differences',
  columns: { record: 'Record', here: 'Here', there: 'At the provider', after: 'Here after the sync' },
  nothing: 'not there',
  after: { created: 'comes', updated: 'changes', deleted: 'goes' },
  apply: (count: number) =>
    plural(count, { one: 'Take over # difference', other: 'Take over # differences' }),
  done: 'Here is now what the provider holds',
  muchTitle: 'Delete so many records here?',
  much: (deleted: number, kept: string) =>
    plural(deleted, {
      one: `The provider no longer has # record that is here; ${kept} would stay.`,
      other: `The provider no longer has # records that are here; ${kept} would stay.`,
    }),
  muchWhy:
    'That is a large part of the zone. If the zone at the provider is not what it should be, put it right there first. The history here keeps what goes.',
  force: (count: number) => plural(count, { one: 'Delete # record here', other: 'Delete # records here' }),
}
