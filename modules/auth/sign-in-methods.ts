import type { Executor } from '../../db/connection/connect.ts'
import { AppError } from '../../plugins/http/errors.ts'
import { hasSignInMethod } from './queries.ts'

/**
 * Throws a 409 if the user can no longer sign in. Call it after removing a way to sign in, in the same
 * transaction, which locks the user's row and so serializes concurrent removals.
 */
export async function requireSignInMethod(trx: Executor, userId: string): Promise<void> {
  if (await hasSignInMethod(trx, userId)) return
  throw new AppError(
    409,
    'last_sign_in_method',
    'This is the only way to sign in; set a password, add a passkey or link another identity first',
  )
}
