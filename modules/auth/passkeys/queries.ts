import { sql, type Insertable, type Selectable } from 'kysely'
import { PASSKEYS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { inSeconds } from '../../../db/expressions.ts'
import type { PasskeysTable, WebauthnChallengesTable } from '../../../db/tables/index.ts'
import type { PendingSignIn } from '../../../plugins/security/access/index.ts'
import type { Use } from './ceremonies.ts'

export type PasskeyRow = Selectable<PasskeysTable>

type Ceremony = WebauthnChallengesTable['ceremony']

export const insertChallenge = (
  db: Executor,
  challenge: { challenge: string; ceremony: Ceremony; user_id: string | null },
  seconds: number,
) =>
  db
    .insertInto('webauthn_challenges')
    .values({ ...challenge, expires_at: inSeconds(seconds) })
    .execute()

/** Takes the challenge, once. False if it is unknown, taken, expired, or of another ceremony or user. */
export async function takeChallenge(
  db: Executor,
  challenge: string,
  ceremony: Ceremony,
  userId: string | null,
): Promise<boolean> {
  const row = await db
    .deleteFrom('webauthn_challenges')
    .where('challenge', '=', challenge)
    .where('ceremony', '=', ceremony)
    .where(sql<boolean>`user_id is not distinct from ${userId}`)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('challenge')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteExpiredChallenges = (db: Executor) =>
  db
    .deleteFrom('webauthn_challenges')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()

/** Replaces the challenge of a sign-in. False if the sign-in no longer exists. */
export async function setStepChallenge(
  db: Executor,
  { challengeId, userId }: PendingSignIn,
  challenge: string,
): Promise<boolean> {
  const row = await db
    .updateTable('sign_in_challenges')
    .set({ webauthn_challenge: challenge })
    .where('id', '=', challengeId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes the challenge of the second step, once; the row lock serializes concurrent requests. */
export async function takeStepChallenge(
  db: Executor,
  { challengeId, userId }: PendingSignIn,
): Promise<string | undefined> {
  const row = await db
    .with('asked', (cte) =>
      cte
        .selectFrom('sign_in_challenges')
        .select(['id', 'webauthn_challenge as challenge'])
        .where('id', '=', challengeId)
        .where('user_id', '=', userId)
        .where('expires_at', '>', sql<Date>`now()`)
        .where('webauthn_challenge', 'is not', null)
        .forUpdate(),
    )
    .updateTable('sign_in_challenges')
    .from('asked')
    .set({ webauthn_challenge: null })
    .whereRef('sign_in_challenges.id', '=', 'asked.id')
    .returning('asked.challenge')
    .executeTakeFirst()
  return row?.challenge ?? undefined
}

export const passkeysOf = (db: Executor, userId: string) =>
  db
    .selectFrom('passkeys')
    .select(PASSKEYS)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findPasskey = (db: Executor, userId: string, id: string, { lock = false } = {}) =>
  db
    .selectFrom('passkeys')
    .select(PASSKEYS)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()

/** Finds a passkey by the authenticator's credential id; only for users who can sign in. */
export const findCredential = (db: Executor, credentialId: string) =>
  db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(PASSKEYS)
    .where('credential_id', '=', credentialId)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()

export async function countPasskeys(db: Executor, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns undefined if the credential is already registered, by any user. */
export const insertPasskey = (db: Executor, passkey: Insertable<PasskeysTable>) =>
  db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((oc) => oc.column('credential_id').doNothing())
    .returning(PASSKEYS)
    .executeTakeFirst()

export const renamePasskeyRow = (db: Executor, id: string, name: string) =>
  db.updateTable('passkeys').set({ name }).where('id', '=', id).returning(PASSKEYS).executeTakeFirst()

export const deletePasskey = (db: Executor, userId: string, id: string) =>
  db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(PASSKEYS)
    .executeTakeFirst()

/**
 * Records a use. False if the counter did not increase: another use came first, or the authenticator was
 * copied. Authenticators without a counter always report 0.
 */
export async function recordUse(
  db: Executor,
  id: string,
  { counter, backedUp, userVerified }: Use,
): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({
      counter,
      backed_up: backedUp,
      user_verified: sql<boolean>`user_verified or ${userVerified}`,
      last_used_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.lit(counter === 0)])]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
