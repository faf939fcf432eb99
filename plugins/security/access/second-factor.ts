import type { AccountKind, Role } from '../../../schemas/people/user.ts'
import { AppError } from '../../http/errors.ts'
import type { SecondFactorRule } from '../../installation.ts'

/** The data that decides whether an account must have a second factor. */
interface FactorSubject {
  role: Role
  kind: AccountKind
}

/**
 * Returns whether the account must have a second factor. Machine accounts never sign in, so they never must.
 */
export const requiresFactor = (rule: SecondFactorRule, { role, kind }: FactorSubject): boolean =>
  kind === 'person' && (rule === 'everyone' || (rule === 'admins' && role === 'admin'))

/** Returns whether the account must have a second factor and has none. */
export const lacksFactor = (
  rule: SecondFactorRule,
  account: FactorSubject & { hasFactor: boolean },
): boolean => !account.hasFactor && requiresFactor(rule, account)

export const secondFactorRequired = () =>
  new AppError(
    403,
    'second_factor_required',
    'This account must have a second factor. Sign in to the console, or use POST /api/2fa/totp/setup, to set one up',
  )
