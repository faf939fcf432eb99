import { AppError, conflict } from '../../../plugins/http/errors.ts'

/** The same text whether the code is wrong, expired or used. */
export const wrongCode = (triesLeft: number) =>
  new AppError(401, 'invalid_credentials', 'The code is wrong, expired or already used', {
    extra: { triesLeft },
  })

export const stepOver = () =>
  new AppError(
    401,
    'unauthenticated',
    'This sign-in has ended: used, expired, or tried too often; sign in again',
  )

const wait = (detail: string, seconds: number) =>
  new AppError(429, 'rate_limited', `${detail}; retry in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })

export const tooManyWrongCodes = (seconds: number) => wait('Too many wrong codes for this account', seconds)

export const codeJustSent = (seconds: number) => wait('A code was sent a moment ago', seconds)

export const tooManyCodes = (seconds: number) => wait('Too many codes were sent to this account', seconds)

export const noMailbox = () =>
  conflict('This account has no confirmed email address; set one with PUT /api/auth/me/email', {
    reason: 'email_unconfirmed',
  })
