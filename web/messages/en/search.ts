import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** Search and replace across domains. */
export const search = {
  title: 'Search records',
  about: 'Search all your domains for a name, a value, an address, or a network such as 192.0.2.0/24.',
  box: 'Name, value, address or network',
  start: 'Enter part of a name or value, a full address, or a network.',
  none: 'No records match.',
  found: (count: number) => plural(count, { one: '# record found', other: '# records found' }),
  incomplete: 'More than 1,000 records match; only some are shown. Refine the search to see others.',
  open: 'Open in domain',
  chosen: (count: number) => plural(count, { one: '# record selected', other: '# records selected' }),
  chooseDomain: (name: string) => `Select all records of ${name}`,
  replace: 'Replace value …',
  form: {
    title: 'Replace a value across domains',
    about: (domains: number) =>
      plural(domains, {
        one: 'Changes records with this value in # domain. You’ll review each change first.',
        other: 'Changes records with this value in # domains. You’ll review each change first.',
      }),
    find: 'Value or network',
    onlyChosen: (records: number) =>
      plural(records, { one: 'Only the # selected record', other: 'Only the # selected records' }),
    findHelp:
      'The full value, or a network (192.0.2.0/24) for all its addresses, also inside SPF and HTTPS records. Leave empty to set a TTL regardless of value.',
    type: 'Record type',
    any: 'any type',
    value: 'Replace with',
    valueHelp: 'The new value. For a network: one address, or a network of the same size.',
    ttl: 'New TTL',
    ttlHelp: 'For example, 300, 5m or 1h. Leave empty to keep the current TTL.',
    ttlWrong: 'Not a valid time. For example, 300, 5m or 1h.',
    plan: 'Preview changes',
  },
  planTitle: 'Planned replacement',
}
