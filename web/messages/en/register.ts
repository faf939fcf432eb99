/** Registration, and pages opened from emails or by identity providers. */
export const register = {
  title: 'Register',
  code: 'Invitation code',
  codeHelp: 'From the person who invited you.',
  username: 'Username',
  usernameHelp: 'Leave empty to use your name at the provider.',
  passwordHelp: 'At least 8 characters, not a common password.',
  email: 'Email address',
  submit: 'Register',
  haveAccount: 'Back to sign-in',
  external:
    'Your provider knows you, but you don’t have an account here yet. You need an invitation to create one.',
  resetTitle: 'Reset password',
  resetAsk: 'Send link',
  resetSent: 'If an account with this address exists, we’ve sent it an email with a link.',
  newPassword: 'New password',
  resetSubmit: 'Set password',
  resetDone: 'Password set. All sessions have ended; sign in with the new password.',
  confirmTitle: 'Confirm email address',
  confirmAsk: 'Is this your email address?',
  confirmSubmit: 'Confirm address',
  confirmDone: 'Address confirmed.',
  reasons: {
    access_denied:
      'You declined at the provider, or you aren’t allowed to sign in there. Try again, or sign in another way.',
    state_invalid: 'This sign-in expired or was started in another browser. Start over.',
    provider_disabled: 'This identity provider is turned off. Sign in another way.',
    provider_error: 'The identity provider returned an error. Try again in a moment.',
    email_taken:
      'An account with your email address already exists. Sign in to it, then link the provider under Account → Identities.',
    already_bound: 'This identity is linked to another account.',
    account_disabled: 'Your account is disabled. Ask your administrator.',
    registration_closed: 'Registration is closed. Ask your administrator.',
  },
}
