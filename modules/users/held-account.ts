import type { Executor } from '../../db/connection/connect.ts'
import { AppError } from '../../plugins/http/errors.ts'
import { lockUser, sessionLives, type UserRow } from './queries.ts'

const overtaken = () =>
  new AppError(
    401,
    'unauthenticated',
    'The session ended, or the password was changed meanwhile: sign in again',
  )

/**
 * Locks the own account to the end of the transaction, and looks once more at what a change of it rests on: the
 * session, and the password where one was asked for (its hash as it was verified; null: none was). Verifying and hashing
 * take long enough for an administrator's reset to come between. Rejects with 401.
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
    // A statement of its own: it sees what was committed while the lock was waited for.
    (await sessionLives(trx, sessionId, userId))
  if (!stands) throw overtaken()
  return user
}
