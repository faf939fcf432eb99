import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** The command palette. */
export const palette = {
  open: 'Find or do',
  label: 'Find or do something',
  placeholder: 'A page, a domain, a record, or what to do',
  pages: 'Pages',
  domains: 'Domains',
  records: 'Records',
  users: 'Users',
  actions: 'What can be done',
  addDomain: 'Add domains',
  searchAll: (text: string) => `Search all records for “${text}”`,
  found: (count: number) => plural(count, { one: '# result', other: '# results' }),
  none: 'Nothing fits.',
}
