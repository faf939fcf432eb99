import { AppError, invalid } from '../../plugins/http/errors.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { findUserById, holdAccount, type UserRow } from '../users/service.ts'
import { sessionIsYoungerThan } from './queries.ts'
import type { AuthContext } from './sessions.ts'

/** How long after signing in the way in may be changed without the password. */
const FRESH_SECONDS = 10 * 60

const signInAgain = () =>
  new AppError(
    403,
    'reauthentication_required',
    'This needs a sign-in of the last 10 minutes: sign in again, or send your password',
  )

/** What a change rests on, for holdProof: the session, and the hash of the password where one was given. */
export interface SignInProof {
  caller: Caller
  passwordHash: string | null
}

/** Locks the account to the end of the transaction; rejects with 401 when what was proven holds no more. */
export const holdProof = (trx: Executor, { caller, passwordHash }: SignInProof): Promise<UserRow> =>
  holdAccount(trx, caller, passwordHash)

/**
 * Lets pass whoever gives the password or signed in just now; a password that is given must be right.
 * What changes the ways to sign in asks for this, so that a stolen session can't keep the account.
 * The change itself holds the proof: see holdProof.
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
