import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** Pasted lines, zone files, and what is not managed. */
export const zoneFiles = {
  paste: {
    title: 'Add multiple records',
    label: 'Lines of a zone file, CSV, or “name type value”',
    read: 'Parse',
    stage: (count: number) =>
      plural(count, { one: 'Add # record to changes', other: 'Add # records to changes' }),
    line: (number: number) => `Line ${number}:`,
    reasons: {
      'no-type': 'This line has no record type.',
      'no-value': 'This line has no value.',
      outside: 'This name isn’t in this domain.',
    },
    wrong: (count: number) =>
      plural(count, { one: '# line can’t be parsed', other: '# lines can’t be parsed' }),
  },
  text: {
    label: 'Zone file',
    help: 'Edit the file and review the changes. Disabled and unmanaged records are comments.',
    review: 'Review',
    skipped: 'Unmanaged and left unchanged:',
  },
  unmanagedList: {
    about: 'Types that Zonekeeper doesn’t manage and never changes, as of the last sync.',
    none: 'All records of this zone are managed.',
    raw: 'Text',
  },
  neverRead: {
    text: 'This zone has not been imported yet. Existing records at the provider are not shown.',
    read: 'Import now',
  },
  importing: {
    file: 'Choose file',
    label: 'Zone file',
    mode: 'Existing records',
    merge: 'Keep existing records; add those only in the file',
    replace: 'Replace the zone; delete records not in the file',
  },
}
