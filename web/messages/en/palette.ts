import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const palette = {
  open: 'Find or run',
  label: 'Command palette',
  placeholder: 'Find a page, domain, record or action',
  pages: 'Pages',
  domains: 'Domains',
  records: 'Records',
  users: 'Users',
  actions: 'Actions',
  addDomain: 'Add domains',
  searchAll: (text: string) => `Search all records for “${text}”`,
  found: (count: number) => plural(count, { one: '# result', other: '# results' }),
  none: 'No results.',
}
