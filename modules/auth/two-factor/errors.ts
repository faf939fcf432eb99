import { AppError, conflict } from '../../../plugins/http/errors.ts'

/** The same words whether the code is wrong, too old, or was used. */
export const wrongCode = (triesLeft: number) =>
  new AppError(401, 'invalid_credentials', 'The code is wrong, too old, or was used already', {
    extra: { triesLeft },
  })

export const stepOver = () =>
  new AppError(
    401,
    'unauthenticated',
    'This sign-in is over: used, too old, or tried too often; sign in again',
  )

const wait = (detail: string, seconds: number) =>
  new AppError(429, 'rate_limited', `${detail}; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })

export const tooManyWrongCodes = (seconds: number) => wait('Too many wrong codes for this account', seconds)

export const codeJustSent = (seconds: number) => wait('A code was sent a moment ago', seconds)

export const tooManyCodes = (seconds: number) => wait('Too many codes were sent to this account', seconds)

export const noMailbox = () =>
  conflict('This account has no confirmed e-mail address: set one with PUT /api/auth/me/email', {
    reason: 'email_unconfirmed',
  })
