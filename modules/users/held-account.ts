import type { Executor } from '../../db/connection/connect.ts'
import { AppError } from '../../plugins/http/errors.ts'
import { lockUser, sessionLives, type UserRow } from './queries.ts'

const overtaken = () =>
  new AppError(
    401,
    'unauthenticated',
    'The session ended or the password changed in the meantime; sign in again',
  )

/**
 * Locks the account until the end of the transaction and checks again what the change relies on: the session,
 * and the password if it was asked for (its verified hash; null if not). Verifying and hashing take long
 * enough for an administrator's reset to happen in between. Throws 401.
 */
export async function holdAccount(
  trx: Executor,
  { userId, sessionId }: { userId: string; sessionId: string },
  passwordHash: string | null,
): Promise<UserRow> {
  const user = await lockUser(trx, userId)
  const stands =
    user?.disabled_at === null &&
    (passwordHash === null || user.password_hash === passwordHash) &&
    // A separate statement sees what was committed while it waited for the lock.
    (await sessionLives(trx, sessionId, userId))
  if (!stands) throw overtaken()
  return user
}
