import { AppError } from '../../plugins/errors.ts'

export const planNotFound = (id: string) =>
  new AppError(
    404,
    'not_found',
    `No plan ${id}: a plan is kept for an hour, for who made it, and can be applied once`,
  )

/** What a kept plan would do by now is not what was shown. `extra`: what it would do now. */
export const planOutdated = (extra: Record<string, unknown> = {}) =>
  new AppError(
    409,
    'plan_outdated',
    'What this would do now is not what was shown; nothing was done. Look at a new plan',
    { extra },
  )

export const planTooLarge = () =>
  new AppError(413, 'payload_too_large', 'This plan is too large to be kept; plan it in parts')
