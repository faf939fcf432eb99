import type { FactorMethod } from '../../../schemas/people/user.ts'
import type { FactorState } from './queries.ts'

/**
 * Factors required at sign-in. Email counts while it is on, even without a mail server or confirmed address:
 * an unusable factor locks the account, it never opens it.
 */
export const methodsOf = ({ totp, passkeys, email }: FactorState): FactorMethod[] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
  ...(email ? (['email'] as const) : []),
]
