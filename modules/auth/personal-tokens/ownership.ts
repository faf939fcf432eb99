import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, notFound } from '../../../plugins/http/errors.ts'
import { findUserById, lockUser, type UserRow } from '../../users/service.ts'
import { holdProof, requireFreshSignIn } from '../fresh-sign-in.ts'
import type { AuthContext } from '../sessions.ts'

/**
 * Holds the caller's fresh sign-in, or password, in the change's transaction, and answers the account whose tokens it
 * is about: the caller's own, or that of a machine, which administrators look after.
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

/** Rejects with 404 or 409 unless the account is the caller's own or that of a machine. */
export async function requireOwner(db: Executor, caller: Caller, ownerId: string): Promise<void> {
  if (ownerId !== caller.userId) requireMachine(await findUserById(db, ownerId), ownerId)
}

function requireMachine<U extends UserRow>(user: U | undefined, id: string): U {
  if (!user) throw notFound('user', id)
  if (user.account_kind === 'machine') return user
  throw conflict(`${user.username} is a person, and looks after the own tokens alone`, {
    reason: 'tokens_of_person',
  })
}
