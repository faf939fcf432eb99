import { AppError, invalid } from '../../plugins/http/errors.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { findUserById, holdAccount, type UserRow } from '../users/service.ts'
import { hasSignInMethod, sessionIsYoungerThan } from './queries.ts'
import type { AuthContext } from './sessions.ts'

/** How long after a sign-in the ways to sign in can be changed without the password. */
const FRESH_SECONDS = 10 * 60

const signInAgain = () =>
  new AppError(
    403,
    'reauthentication_required',
    'This requires a sign-in in the last 10 minutes; sign in again, or send your password',
  )

/** What a change relies on, for holdProof: the session, and the hash of the password if it was given. */
export interface SignInProof {
  caller: Caller
  passwordHash: string | null
}

/** Locks the account until the end of the transaction; throws 401 if the proof no longer holds. */
export const holdProof = (trx: Executor, { caller, passwordHash }: SignInProof): Promise<UserRow> =>
  holdAccount(trx, caller, passwordHash)

/**
 * Requires the password or a recent sign-in; a given password must be right. Changes to the ways to sign in
 * require this, so that a stolen session can't take over the account. The change itself must hold the proof:
 * see holdProof.
 */
export async function requireFreshSignIn(
  { db, passwordHashes }: Pick<AuthContext, 'db' | 'passwordHashes'>,
  caller: Caller,
  password: string | undefined,
): Promise<SignInProof> {
  if (password === undefined) {
    if (!(await sessionIsYoungerThan(db, caller.sessionId, FRESH_SECONDS))) throw signInAgain()
    return { caller, passwordHash: null }
  }
  const user = await findUserById(db, caller.userId)
  if (!(await passwordHashes.verify(user?.password_hash, password))) {
    throw invalid({ path: '/password', code: 'wrong_password', message: 'is not the current password' })
  }
  return { caller, passwordHash: user?.password_hash ?? null }
}

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
