import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const verification = {
  title: 'Name servers',
  /** Of addresses that can be compared. */
  serve: (agreeing: string, count: number) =>
    plural(count, {
      one: `${agreeing} of # name server serves this change.`,
      other: `${agreeing} of # name servers serve this change.`,
    }),
  status: {
    none: 'not verified',
    waiting: 'waiting',
    verified: 'verified',
    failed: 'not verified in time',
    superseded: 'superseded',
    not_comparable: 'not comparable',
    unreachable: 'no answer',
  },
  about: {
    none: 'The name servers have not been asked for this change.',
    waiting: 'The name servers are being asked.',
    verified: '',
    failed: 'Ten minutes after the change, not all of them served it.',
    superseded: 'Newer changes replaced everything in it.',
    not_comparable: 'The provider decides what is answered for these records.',
    unreachable: 'No name server could be asked.',
  },
  verify: 'Verify now',
  again: 'Verify again',
  server: 'Name server',
  state: 'State',
  states: {
    agrees: 'serves the change',
    differs: 'serves other records',
    no_answer: 'no answer',
    refused: 'refused',
    lame: 'does not have the zone',
    not_comparable: 'not comparable',
  },
  answer: 'Answer',
  noRecords: 'no records',
  checked: 'Checked',
  showServers: 'Show name servers',
  applied: 'Your last change',
  hide: 'Hide',
}
