/** Asking for the review that a domain requires. */
export const reviewRequest = {
  about: 'Changes of this domain need the approval of a second person.',
  how: 'What to do',
  ways: { request: 'Request review', emergency: 'Apply as an emergency, without review' },
  title: 'Title',
  titleHelp: 'Shown in the list of change requests.',
  reason: 'Reason',
  reasonHelp: 'Why the change is wanted.',
  send: 'Request review',
  sent: 'Review requested',
  part: (title: string, nth: string, count: string) => `${title} (${nth}/${count})`,
  emergencyAbout:
    'The other users of the domain are notified. The history and the audit log keep the reason.',
  apply: 'Apply without review',
}
