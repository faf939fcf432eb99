import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** A plan over many domains, and what became of it. */
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
  blockedWhole: 'Nothing is done in this domain:',
  nothing: 'Nothing would change.',
  nothingPossible: 'Nothing can be changed: each record is blocked, for the reason named with it.',
  hidden: (count: number) =>
    plural(count, {
      one: '# domain that you can’t see is left alone.',
      other: '# domains that you can’t see are left alone.',
    }),
  moreDomains: 'Show more domains',
  moreChanges: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
  apply: (count: number) => plural(count, { one: 'Apply # change', other: 'Apply # changes' }),
  again: 'Plan again',
  undoHint:
    'Each domain is a separate change. Undo it in the history of the domain, for that domain or for all domains.',
  history: 'History',
  outcomes: {
    applied: 'done',
    partly: 'done in part',
    failed: 'not done',
    pending: 'being settled',
    outdated: 'changed meanwhile, nothing done',
    refused: 'refused, nothing done',
    blocked: 'blocked, nothing done',
    unchanged: 'nothing to do',
  } as Record<string, string>,
}
