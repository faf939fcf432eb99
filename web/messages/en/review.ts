import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** The plan of staged edits. */
export const review = {
  title: 'Review changes',
  none: 'No changes.',
  creates: 'New',
  updates: 'Changed',
  deletes: 'Deleted',
  warnings: 'Warnings',
  conflicts: 'Conflicts',
  leaveOut: 'Leave out',
  takeTheirs: 'Use theirs',
  keepMine: 'Keep mine',
  fix: 'Edit',
  outdated: 'Another user changed this record. “−” is its current state, “+” is your edit.',
  aligned: 'The TTL follows another change to the same name and type.',
  apply: (count: number) => plural(count, { one: 'Apply # change', other: 'Apply # changes' }),
  applied: (count: number) => plural(count, { one: '# change applied', other: '# changes applied' }),
  partly: 'Some changes were applied. The rest are still here.',
  unsettled: (count: number) =>
    plural(count, {
      one: '# change is pending: the DNS provider hasn’t confirmed it. It stays here until it does.',
      other: '# changes are pending: the DNS provider hasn’t confirmed them. They stay here until it does.',
    }),
  manyPlans: (count: number) =>
    plural(count, { one: 'Applied as one plan.', other: 'Applied as # plans, one after another.' }),
  planning: 'Planning changes',
}
