import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** Who changed what when, and the way back. */
export const history = {
  label: 'Changes, newest first',
  none: 'Nothing was changed yet.',
  noneFound: 'No change fits the filter.',
  filters: 'Filters',
  name: 'Name',
  type: 'Type',
  anyType: 'Any type',
  actor: 'By whom',
  from: 'From',
  to: 'To',
  service: 'the service',
  sources: {
    ddns: 'dynamic DNS client',
    single: 'one record',
    bulk: 'several records',
    apply: 'applied together',
    import: 'import of a zone file',
    revert: 'undone',
    restore: 'restored',
    sync: 'sync with the provider',
    switch: 'switch of the provider',
    replace: 'replaced over domains',
    template: 'from a template',
  },
  status: {
    pending: 'not settled yet',
    applied: 'done',
    partial: 'partly done',
    failed: 'not done',
  },
  outcome: { pending: 'Its end is not known yet.', failed: 'Not done:' },
  counts: (created: number, updated: number, deleted: number) =>
    [
      ...(created > 0 ? [plural(created, { one: '# new', other: '# new' })] : []),
      ...(updated > 0 ? [plural(updated, { one: '# changed', other: '# changed' })] : []),
      ...(deleted > 0 ? [plural(deleted, { one: '# deleted', other: '# deleted' })] : []),
    ].join(', '),
  items: (count: number) => plural(count, { one: '# record', other: '# records' }),
  show: 'Show what was changed',
  hide: 'Hide what was changed',
  diff: 'Records before and after',
  undo: 'Undo this',
  undoTitle: 'Undo this change',
  undoAbout: 'This is what undoing would do now.',
  undoAction: (count: number) => plural(count, { one: 'Undo: # change', other: 'Undo: # changes' }),
  undone: 'Undone',
  restore: 'Restore to before this',
  restoreTitle: (when: string) => `Restore to before ${when}`,
  restoreAbout:
    'All records go back to what they were before this change; what was done since is undone, too. The SOA and records that are not managed here stay.',
  restoreAction: (count: number) => plural(count, { one: 'Restore: # change', other: 'Restore: # changes' }),
  restored: 'Restored',
}
