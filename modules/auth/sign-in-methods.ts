import type { Executor } from '../../db/connection/connect.ts'
import { AppError } from '../../plugins/http/errors.ts'
import { hasSignInMethod } from './queries.ts'

/**
 * Rejects with a 409 when the user can't sign in any more. Called after a way to sign in was taken away, in the
 * same transaction, which holds the user's row: two that are given up at the same time come one after the other.
 */
export async function requireSignInMethod(trx: Executor, userId: string): Promise<void> {
  if (await hasSignInMethod(trx, userId)) return
  throw new AppError(
    409,
    'last_sign_in_method',
    'This is the only way into the account: set a password, add a passkey or bind another identity first',
  )
}
