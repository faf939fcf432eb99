import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, notFound } from '../../../plugins/http/errors.ts'
import { findUserById, lockUser, type UserRow } from '../../users/service.ts'
import { holdProof, requireFreshSignIn } from '../fresh-sign-in.ts'
import type { AuthContext } from '../sessions.ts'

/**
 * Holds the caller's recent sign-in or password in the transaction, and returns the account of the tokens:
 * the caller's own, or a machine account managed by administrators.
 */
export async function authorize(
  context: AuthContext,
  caller: Caller,
  ownerId: string,
  password: string | undefined,
): Promise<(trx: Executor) => Promise<UserRow>> {
  const proof = await requireFreshSignIn(context, caller, password)
  return async (trx) => {
    const user = await holdProof(trx, proof)
    return ownerId === user.id ? user : requireMachine(await lockUser(trx, ownerId), ownerId)
  }
}

/** Throws 404 or 409 unless the account is the caller's own or a machine account. */
export async function requireOwner(db: Executor, caller: Caller, ownerId: string): Promise<void> {
  if (ownerId !== caller.userId) requireMachine(await findUserById(db, ownerId), ownerId)
}

function requireMachine<U extends UserRow>(user: U | undefined, id: string): U {
  if (!user) throw notFound('user', id)
  if (user.account_kind === 'machine') return user
  throw conflict(`${user.username} is a person, who manages their own tokens`, {
    reason: 'tokens_of_person',
  })
}
