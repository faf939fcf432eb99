import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** Plans over many domains and their results. */
export const manyDomains = {
  totals: (records: string, domains: string) => `${records} in ${domains}.`,
  changes: (count: number) => plural(count, { one: '# change', other: '# changes' }),
  domains: (count: number) => plural(count, { one: '# domain', other: '# domains' }),
  counts: (creates: number, updates: number, deletes: number) =>
    [
      ...(creates > 0 ? [`${creates} new`] : []),
      ...(updates > 0 ? [`${updates} changed`] : []),
      ...(deletes > 0 ? [`${deletes} deleted`] : []),
    ].join(' · '),
  blocked: (count: number) =>
    plural(count, { one: '# record can’t be changed:', other: '# records can’t be changed:' }),
  blockedWhole: 'No changes in this domain:',
  nothing: 'No changes.',
  nothingPossible: 'Nothing can be changed: every record is blocked for the reason shown with it.',
  hidden: (count: number) =>
    plural(count, {
      one: '# domain that you can’t access is skipped.',
      other: '# domains that you can’t access are skipped.',
    }),
  moreDomains: 'Show more domains',
  moreChanges: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
  apply: (count: number) => plural(count, { one: 'Apply # change', other: 'Apply # changes' }),
  askReview: 'Request review',
  appliedNow: 'Applied without review',
  again: 'Plan again',
  undoHint:
    'Each domain is a separate change. You can revert it in the domain’s history, for that domain or for all of them.',
  history: 'History',
  outcomes: {
    applied: 'applied',
    partly: 'partly applied',
    failed: 'failed',
    pending: 'pending',
    outdated: 'out of date, nothing changed',
    refused: 'refused, nothing changed',
    blocked: 'blocked, nothing changed',
    unchanged: 'no changes',
  } as Record<string, string>,
}
