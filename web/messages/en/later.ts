import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

/** Changes at a time, and changes that are reverted unless they are confirmed. */
export const later = {
  title: 'Time and confirmation',
  when: 'When',
  now: 'Now',
  atTime: 'At a time',
  time: 'Time',
  timeHelp:
    'At most 90 days ahead. It is planned again at that time, and nothing is changed if it would do something else than is shown here.',
  confirm: 'Revert unless confirmed',
  never: 'Never',
  within: (minutes: number) =>
    minutes >= 60
      ? plural(minutes / 60, { one: 'within # hour', other: 'within # hours' })
      : plural(minutes, { one: 'within # minute', other: 'within # minutes' }),
  confirmHelp:
    'Once applied, a banner counts down. Unless somebody confirms the change in time, it is reverted; what others have changed since is left alone.',
  unconfirmed: {
    title: (actor: string, count: number) =>
      plural(count, {
        one: `${actor} changed # record. The change is reverted unless it is confirmed.`,
        other: `${actor} changed # records. The change is reverted unless it is confirmed.`,
      }),
    left: 'Time left',
    reverting: 'Being reverted',
    confirm: 'Confirm',
    confirmed: 'Confirmed. The change stays',
    revert: 'Revert now',
    reverted: 'Reverted',
    confirmAll: 'Confirm in all domains',
    confirmedAll: 'Confirmed in all domains. The changes stay',
    confirmedSome: (count: number) =>
      plural(count, {
        one: '# change could not be confirmed and will be reverted',
        other: '# changes could not be confirmed and will be reverted',
      }),
    revertAll: 'Revert in all domains',
    revertingAll: 'The changes are being reverted in all domains',
    show: 'Show change',
    leaveTitle: 'Leave without confirming?',
    leaveText: (when: string) => `A change of yours is reverted at ${when} unless it is confirmed.`,
    leave: 'Leave',
  },
  status: {
    waiting: 'must be confirmed once applied',
    unconfirmed: 'unconfirmed',
    reverting: 'being reverted',
    confirmed: 'confirmed',
    reverted: 'reverted, not confirmed',
    not_reverted: 'not confirmed, not reverted',
  },
  confirmedBy: (who: string) => `Confirmed by ${who}.`,
  revertAt: (when: string) => `Reverted at ${when} unless confirmed.`,
  leftAlone: 'Left alone, as they have changed since:',
  showRevert: 'Show the change that reverts it',
  showReverted: 'Show the change that was reverted',
  appliedAt: (when: string, ago: string) => `at ${when} (${ago})`,
  applyNow: 'Apply now',
  applyTitle: 'Apply this change now?',
  applyText: 'It is applied now instead of at its time: exactly as shown, or not at all.',
  applied: {
    applied: 'Change applied',
    partial: 'Only a part of the change was applied',
    failed: 'The change was not applied',
    pending: 'The outcome of the change is not known yet',
    scheduled: 'The change is applied soon',
    cancelled: 'Change cancelled',
  },
  cancel: 'Cancel change',
  cancelTitle: 'Cancel this change?',
  cancelText: 'It is not applied at its time. The history keeps it.',
  cancelled: 'Change cancelled',
}
