import { sql, type Insertable } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { inSeconds, secondsAgo } from '../../../db/expressions.ts'
import type { SignInChallengesTable } from '../../../db/tables/index.ts'
import type { PendingSignIn } from '../../../plugins/security/access/index.ts'

const EXTERNAL = ['external_provider', 'external_subject', 'external_session'] as const
type ExternalColumn = (typeof EXTERNAL)[number]

export const insertSignInChallenge = (
  db: Executor,
  challenge: Pick<Insertable<SignInChallengesTable>, 'id' | 'user_id' | 'remember' | ExternalColumn>,
  seconds: number,
) =>
  db
    .insertInto('sign_in_challenges')
    .values({ ...challenge, expires_at: inSeconds(seconds) })
    .execute()

/**
 * Counts an attempt before it is checked, in one statement, so that concurrent requests get at most
 * `maxTries`. Returns undefined if the step is over: taken, expired, or tried too often.
 */
export const countTry = (
  db: Executor,
  { challengeId, userId }: PendingSignIn,
  { maxTries, codeSeconds }: { maxTries: number; codeSeconds: number },
) =>
  db
    .updateTable('sign_in_challenges')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', challengeId)
    .where('user_id', '=', userId)
    .where('tries', '<', maxTries)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning((eb) => [
      'tries',
      // Only while it is valid.
      eb
        .case()
        .when('email_code_sent_at', '>', secondsAgo(codeSeconds))
        .then(eb.ref('email_code_hash'))
        .end()
        .as('email_code_hash'),
    ])
    .executeTakeFirst()

/** Takes the challenge, once: of several concurrent right answers, one signs in. */
export const takeChallenge = (db: Executor, { challengeId, userId }: PendingSignIn) =>
  db
    .deleteFrom('sign_in_challenges')
    .where('id', '=', challengeId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['remember', ...EXTERNAL])
    .executeTakeFirst()

/** Returns whether the step can still be taken. */
export const findChallenge = (db: Executor, { challengeId, userId }: PendingSignIn, maxTries: number) =>
  db
    .selectFrom('sign_in_challenges')
    .select('id')
    .where('id', '=', challengeId)
    .where('user_id', '=', userId)
    .where('tries', '<', maxTries)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

/** Replaces the code; false if one was sent less than `pauseSeconds` ago. */
export async function setEmailCode(
  db: Executor,
  { challengeId, userId }: PendingSignIn,
  hash: Buffer,
  pauseSeconds: number,
): Promise<boolean> {
  const row = await db
    .updateTable('sign_in_challenges')
    .set({ email_code_hash: hash, email_code_sent_at: sql<Date>`now()` })
    .where('id', '=', challengeId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where((eb) =>
      eb.or([
        eb('email_code_sent_at', 'is', null),
        eb('email_code_sent_at', '<=', secondsAgo(pauseSeconds)),
        // The clock was set back. A statement that waited for another began before that one wrote, so now()
        // is not used.
        eb('email_code_sent_at', '>', sql<Date>`clock_timestamp()`),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Counts a failure of the account, for any factor, before the code is checked. Returns the seconds to wait
 * once `max` is reached in the window, otherwise 0. One statement, as in countTry.
 */
export async function countFactorFailure(
  db: Executor,
  userId: string,
  { max, windowSeconds }: { max: number; windowSeconds: number },
): Promise<number> {
  const counting = sql`coalesce(factor_failures_since > ${secondsAgo(windowSeconds)} and factor_failures_since <= clock_timestamp(), false)`
  const counted = await db
    .updateTable('users')
    .set({
      factor_failures: sql<number>`case when ${counting} then factor_failures + 1 else 1 end`,
      factor_failures_since: sql<Date>`case when ${counting} then factor_failures_since else now() end`,
    })
    .where('id', '=', userId)
    .where(sql<boolean>`not (${counting} and factor_failures >= ${max})`)
    .returning('id')
    .executeTakeFirst()
  if (counted) return 0
  const row = await db
    .selectFrom('users')
    .select(
      sql<number>`ceil(extract(epoch from factor_failures_since - ${secondsAgo(windowSeconds)}))::int`.as(
        'wait',
      ),
    )
    .where('id', '=', userId)
    .executeTakeFirst()
  return Math.max(row?.wait ?? 1, 1)
}

/** Undoes a counted failure. */
export const uncountFactorFailure = (db: Executor, userId: string) =>
  db
    .updateTable('users')
    .set({ factor_failures: sql<number>`greatest(factor_failures - 1, 0)` })
    .where('id', '=', userId)
    .execute()

export const deleteExpiredSignInChallenges = (db: Executor) =>
  db
    .deleteFrom('sign_in_challenges')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
