import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** What something would do to records, before it is done. */
export const plan = {
  creates: 'New',
  updates: 'Changed',
  deletes: 'Deleted',
  conflicts: 'What stands in the way',
  warnings: 'Worth a look',
  none: 'Nothing would change.',
  more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
  operation: {
    running: (done: string, total: string) =>
      `This is a large change: ${done} of ${total} is done. It goes on in the background; you are told when it ends.`,
    succeeded: (done: string, _total: string) => `Done: ${done} changes.`,
    partly: (done: string, total: string) => `${done} of ${total} was done. The history says which.`,
    failed: (_done: string, _total: string) => 'Nothing was done.',
  },
}
