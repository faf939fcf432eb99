import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** Records over all domains: found, and replaced. */
export const search = {
  title: 'Search records',
  about: 'In all domains that you see: a name, a value, an address, or a network such as 192.0.2.0/24.',
  box: 'Name, value, address or network',
  start: 'Type what you look for: a part of a name or of a value, a whole address, or a network.',
  none: 'No record matches.',
  found: (count: number) => plural(count, { one: '# record found', other: '# records found' }),
  incomplete: 'More than 1,000 records match; these are some of them. Say more to find fewer.',
  open: 'Open in the domain',
  chosen: (count: number) => plural(count, { one: '# record chosen', other: '# records chosen' }),
  chooseDomain: (name: string) => `Choose all of ${name} here`,
  replace: 'Replace the value …',
  form: {
    title: 'Replace a value over domains',
    about: (domains: number) =>
      plural(domains, {
        one: 'Records of # domain that have this value are changed. You see each before anything happens.',
        other: 'Records of # domains that have this value are changed. You see each before anything happens.',
      }),
    find: 'Value, or network',
    onlyChosen: (records: number) =>
      plural(records, { one: 'Only the # record chosen', other: 'Only the # records chosen' }),
    findHelp:
      'The whole value, or a network (192.0.2.0/24) for all of its addresses, in SPF and HTTPS records too. Leave it empty to set a TTL for records with any value.',
    type: 'Only of type',
    any: 'any type',
    value: 'Replace with',
    valueHelp: 'The new value. For a network: one address, or a network of the same size.',
    ttl: 'New TTL',
    ttlHelp: 'Such as 300, 5m or 1h. Empty: as it is.',
    ttlWrong: 'That is no time: write 300, 5m or 1h.',
    plan: 'Show what would change',
  },
  planTitle: 'What the replacement would do',
}
