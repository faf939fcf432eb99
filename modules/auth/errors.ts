import { AppError, conflict } from '../../plugins/http/errors.ts'

/** The same text whether the user is unknown or disabled, or the password is wrong. */
export const invalidCredentials = () =>
  new AppError(401, 'invalid_credentials', 'The user name or password is wrong')

/** The same text whether the passkey is unknown, its user disabled, or its answer wrong. */
export const passkeyRefused = () => new AppError(401, 'invalid_credentials', 'The passkey was not accepted')

export const sessionOver = () => new AppError(401, 'unauthenticated', 'This session has ended; sign in again')

export const foreignOrigin = () =>
  new AppError(403, 'forbidden', 'The refresh cookie is accepted only from pages of this site')

export const lastFactor = () =>
  conflict('This account must have a second factor, and this is the only one; set up another one first', {
    reason: 'second_factor_required',
  })
