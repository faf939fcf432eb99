import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const diff = {
  added: 'Added:',
  removed: 'Removed:',
  unchanged: 'Unchanged:',
  moreUnchanged: (count: number) =>
    plural(count, { one: 'and # more unchanged', other: 'and # more unchanged' }),
  copy: 'Copy as text',
}
