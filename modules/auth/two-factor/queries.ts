import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { FactorMethod } from '../../../schemas/people/user.ts'
import { inSeconds, secondsAgo } from '../../../db/expressions.ts'

/** Second factors of an account. */
export interface FactorState {
  totp: boolean
  email: boolean
  passkeys: number
  recoveryCodes: number
}

/**
 * Factors required at sign-in. Email counts while it is on, even without a mail server or confirmed address:
 * an unusable factor locks the account, it never opens it.
 */
export const methodsOf = ({ totp, passkeys, email }: Omit<FactorState, 'recoveryCodes'>): FactorMethod[] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
  ...(email ? (['email'] as const) : []),
]

export async function readFactors(db: Executor, userId: string): Promise<FactorState | undefined> {
  return db
    .selectFrom('users')
    .select([
      'totp_enabled as totp',
      'email_codes_enabled as email',
      sql<number>`(select count(*)::int from passkeys where user_id = users.id)`.as('passkeys'),
      sql<number>`(select count(*)::int from recovery_codes where user_id = users.id and used_at is null)`.as(
        'recoveryCodes',
      ),
    ])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Stores a seed that is not proven yet, replacing an earlier one. False if the factor is on. */
export async function setTotpSeed(db: Executor, userId: string, sealed: Buffer): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ totp_secret: sealed })
    .where('id', '=', userId)
    .where('totp_enabled', '=', false)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Turns the factor on, with the step of the code that proved it, which can't be used again. */
export const enableTotp = (db: Executor, userId: string, step: number) =>
  db
    .updateTable('users')
    .set({ totp_enabled: true, totp_last_step: String(step) })
    .where('id', '=', userId)
    .execute()

export const disableTotp = (db: Executor, userId: string) =>
  db.updateTable('users').set({ totp_enabled: false, totp_secret: null }).where('id', '=', userId).execute()

/** Takes a step, once, and no earlier one. False if a code of this or a later step was used. */
export async function takeTotpStep(db: Executor, userId: string, step: number): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set({ totp_last_step: String(step) })
    .where('id', '=', userId)
    .where('totp_enabled', '=', true)
    .where('totp_last_step', '<', String(step))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const setEmailCodes = (db: Executor, userId: string, enabled: boolean) =>
  db.updateTable('users').set({ email_codes_enabled: enabled }).where('id', '=', userId).execute()

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(db: Executor, userId: string, hashes: Buffer[]): Promise<void> {
  await deleteRecoveryCodes(db, userId)
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash, used_at: null })))
    .execute()
}

/** Takes the code, once. */
export async function takeRecoveryCode(db: Executor, userId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .updateTable('recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteRecoveryCodes = (db: Executor, userId: string) =>
  db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()

/** Counts an attempt at the code sent to verify an address; returns undefined without such a code. */
export const countEnrolmentTry = (db: Executor, userId: string, maxTries: number) =>
  db
    .updateTable('mail_tokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email_codes')
    .where('tries', '<', maxTries)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['hash', 'email'])
    .executeTakeFirst()

/** Replaces the code that verifies an address. False if the previous one is more recent than the pause. */
export async function replaceEnrolmentCode(
  db: Executor,
  token: { hash: Buffer; userId: string; email: string; seconds: number },
  pauseSeconds: number,
): Promise<boolean> {
  const recent = await db
    .selectFrom('mail_tokens')
    .select('hash')
    .where('user_id', '=', token.userId)
    .where('purpose', '=', 'email_codes')
    .where('created_at', '>', secondsAgo(pauseSeconds))
    .executeTakeFirst()
  if (recent) return false
  await deleteEnrolmentCode(db, token.userId)
  await db
    .insertInto('mail_tokens')
    .values({
      hash: token.hash,
      purpose: 'email_codes',
      user_id: token.userId,
      email: token.email,
      expires_at: inSeconds(token.seconds),
    })
    .execute()
  return true
}

/** Takes the code (this one, or any); false if not found. */
export async function deleteEnrolmentCode(db: Executor, userId: string, hash?: Buffer): Promise<boolean> {
  let query = db.deleteFrom('mail_tokens').where('user_id', '=', userId).where('purpose', '=', 'email_codes')
  if (hash !== undefined) query = query.where('hash', '=', hash)
  return (await query.returning('hash').execute()).length > 0
}
