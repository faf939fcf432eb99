import type { FactorMethod } from '../../../schemas/people/user.ts'
import type { FactorState } from './queries.ts'

/**
 * What the account must be asked for. E-mail counts as long as it is on, also while there is no mail server
 * or no confirmed address: a factor that can't be used closes the door, it never opens it.
 */
export const methodsOf = ({ totp, passkeys, email }: FactorState): FactorMethod[] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
  ...(email ? (['email'] as const) : []),
]
