import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { inSeconds, secondsAgo } from '../../../db/expressions.ts'
import type { MailTokensTable } from '../../../db/tables/index.ts'

export type MailPurpose = MailTokensTable['purpose']

interface NewMailToken {
  hash: Buffer
  purpose: MailPurpose
  userId: string
  email: string
  seconds: number
}

/** Whether the previous token went to the same address and is more recent than that. */
export async function hasRecentMailToken(
  db: Executor,
  token: Pick<NewMailToken, 'purpose' | 'userId' | 'email'>,
  pauseSeconds: number,
): Promise<boolean> {
  const recent = await db
    .selectFrom('mail_tokens')
    .select('hash')
    .where('user_id', '=', token.userId)
    .where('purpose', '=', token.purpose)
    .where('email', '=', token.email)
    .where('created_at', '>', secondsAgo(pauseSeconds))
    .executeTakeFirst()
  return recent !== undefined
}

/** Stores the token in place of the user's previous one for the same purpose. */
export async function replaceMailToken(db: Executor, token: NewMailToken): Promise<void> {
  await deleteMailTokens(db, token.userId, [token.purpose])
  await db
    .insertInto('mail_tokens')
    .values({
      hash: token.hash,
      purpose: token.purpose,
      user_id: token.userId,
      email: token.email,
      expires_at: inSeconds(token.seconds),
    })
    .execute()
}

/** Takes a valid token, once: of concurrent requests, one gets it. */
export const takeMailToken = (db: Executor, hash: Buffer, purpose: MailPurpose) =>
  db
    .deleteFrom('mail_tokens')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['user_id', 'email'])
    .executeTakeFirst()

/** Returns the owner of a valid token without taking it. */
export const findMailToken = (db: Executor, hash: Buffer, purpose: MailPurpose) =>
  db
    .selectFrom('mail_tokens')
    .innerJoin('users', 'users.id', 'mail_tokens.user_id')
    .select(['mail_tokens.user_id', 'mail_tokens.email', 'users.username'])
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

export const deleteMailTokens = (db: Executor, userId: string, purposes: readonly MailPurpose[]) =>
  db.deleteFrom('mail_tokens').where('user_id', '=', userId).where('purpose', 'in', purposes).execute()

export const deleteExpiredMailTokens = (db: Executor) =>
  db
    .deleteFrom('mail_tokens')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
