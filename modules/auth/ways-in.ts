import { sql } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import { AppError } from '../../plugins/errors.ts'

/**
 * Rejects when the user can't get in any more: by password, by a passkey that may sign in alone, or by an
 * identity whose provider is enabled. Called after one of them was taken away, in the same transaction, which
 * holds the user's row: two that are given up at the same time come one after the other.
 */
export async function requireWayIn(trx: Executor, userId: string): Promise<void> {
  const { rows } = await sql<{ open: boolean }>`select
    exists (select from users where id = ${userId} and password_hash is not null)
    or exists (select from passkeys where user_id = ${userId} and user_verified)
    or exists (select from oauth_identities
      join oauth_providers on oauth_providers.provider_id = oauth_identities.provider_id and enabled
      where user_id = ${userId}) as open`.execute(trx)
  if (rows[0]?.open === true) return
  throw new AppError(
    409,
    'last_sign_in_method',
    'This is the only way into the account: set a password, add a passkey or bind another identity first',
  )
}
