import type { Schemas } from '../../api/schema.d.ts'

/** What is said of failures. */
export const problems = {
  unreachable: 'The service does not answer. Check your connection; what you typed is still here.',
  unexpected: 'Something went wrong on this page. Reload it and try again.',
  offline: 'You are offline: nothing can be saved until you are back. What you typed stays.',
  shownAsOf: (moment: string) => `What you see is as it was on ${moment}.`,
  /** Heading of a page that can’t be shown. */
  title: 'This did not work',
  askForAccess: 'Ask for access',
  requestId: 'Request:',
  original: 'What the service says',
  foreign: '',
  more: (count: number) => `and ${count} more`,
  tryAgainIn: (seconds: string) => `Try again in ${seconds} s`,
  challenge: {
    title: 'This name overlaps with a domain of another user.',
    about:
      'If it is yours, publish this record in public DNS and try again, or ask an administrator to add the domain.',
    record: 'Record',
    type: 'Type',
    value: 'Value',
    found: {
      none: 'Public DNS does not have this record yet. A new record can take a few minutes to be seen.',
      other:
        'Public DNS has another value for this record. A changed record can take a few minutes to be seen.',
      unanswered: 'The DNS lookup of this record failed.',
    },
  },
  byCode: {
    validation_failed: 'Something is not right; look at the marked fields.',
    unauthenticated: 'You are not signed in any more.',
    invalid_credentials: 'The user name or the password is wrong.',
    token_expired: 'This has expired; begin again.',
    forbidden: 'You may not do this.',
    reauthentication_required: 'This needs your password once more.',
    second_factor_required: 'Your account must have a second step at sign-in. Set one up first.',
    permission_missing: 'A permission is missing for this.',
    not_found: 'This is not here, or not yours to see.',
    method_not_allowed: 'The service can’t do this here.',
    conflict: 'This is in conflict with what is there.',
    precondition_failed: 'It is not as it was when you looked; look again.',
    plan_outdated: 'What was shown does not hold any more: something changed meanwhile. Look again.',
    last_sign_in_method: 'This is the last way into the account, so it has to stay.',
    confirmation_required: 'This needs a confirmation.',
    payload_too_large: 'That is too large.',
    unsupported_media_type: 'The service can’t read this kind of content.',
    rate_limited: 'That was too often. Wait a moment.',
    internal: 'The service had a fault. If it comes again, tell your administrator the request id.',
    provider_error: 'The DNS provider answered with an error.',
    provider_auth_failed: 'The DNS provider does not accept the credentials any more.',
    provider_rejected: 'The DNS provider refused the change.',
    provider_quota: 'A limit of the DNS provider is reached.',
    provider_timeout: 'The DNS provider did not answer in time.',
    changes_failed: 'The DNS provider did not take all of the changes.',
    unavailable: 'The service can’t do this for the moment. Try again soon.',
  } as Record<Schemas['ErrorCode'], string>,
}
