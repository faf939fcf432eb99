import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const plan = {
  creates: 'New',
  updates: 'Changed',
  deletes: 'Deleted',
  conflicts: 'Conflicts',
  warnings: 'Warnings',
  none: 'No changes.',
  more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
  schedule: (count: number) => plural(count, { one: 'Schedule # change', other: 'Schedule # changes' }),
  scheduled: (when: string) => `Scheduled for ${when}`,
  operation: {
    running: (done: string, total: string) =>
      `This is a large change: ${done} of ${total} done. It continues in the background; you’ll be notified when it ends.`,
    succeeded: (done: string, _total: string) => `Done: ${done} changes.`,
    partly: (done: string, total: string) => `${done} of ${total} done. See the history for details.`,
    failed: (_done: string, _total: string) => 'Nothing was changed.',
  },
}
