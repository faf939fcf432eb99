import { sql, type Insertable, type Selectable } from 'kysely'
import { SESSIONS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import { secondsAgo } from '../../db/expressions.ts'
import type { SessionsTable } from '../../db/tables/index.ts'

export type SessionRow = Selectable<SessionsTable>

/** Idle lifetime of a session in hours, and maximum lifetime in days. */
const LIFETIMES = { short: { idleHours: 24, days: 7 }, remembered: { idleHours: 30 * 24, days: 180 } }

/** The expiry of a session that is used now. */
const sessionEnd = (remember: boolean, beginning = sql<Date>`now()`) => {
  const { idleHours, days } = remember ? LIFETIMES.remembered : LIFETIMES.short
  return sql<Date>`least(now() + make_interval(hours => ${idleHours}), ${beginning} + make_interval(days => ${days}))`
}

export const refreshTokenSeconds = (remember: boolean) =>
  (remember ? LIFETIMES.remembered : LIFETIMES.short).idleHours * 3600

/** Stored part of the client's user agent. */
export const USER_AGENT_LENGTH = 300

export async function insertSession(
  db: Executor,
  session: Omit<Insertable<SessionsTable>, 'expires_at'>,
  tokenHash: Buffer,
): Promise<void> {
  await db
    .with('session', (cte) =>
      cte
        .insertInto('sessions')
        .values({ ...session, expires_at: sessionEnd(session.remember) })
        .returning(['id', 'user_id']),
    )
    .with('user', (cte) =>
      cte
        .updateTable('users')
        .set({ last_login_at: sql`now()` })
        .where('id', 'in', (eb) => eb.selectFrom('session').select('user_id')),
    )
    .insertInto('refresh_tokens')
    .columns(['hash', 'session_id'])
    .expression((eb) => eb.selectFrom('session').select([sql<Buffer>`${tokenHash}::bytea`.as('hash'), 'id']))
    .execute()
}

/**
 * Takes the token, once, and stores its successor, in one statement, so that one of several concurrent
 * requests wins. Returns undefined if the token is unknown or used, or its session ended.
 */
export function rotateRefreshToken(db: Executor, hash: Buffer, successor: Buffer, ip: string) {
  return db
    .with('session', (cte) =>
      cte
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['sessions.id', 'sessions.user_id', 'sessions.remember'])
        .where('users.disabled_at', 'is', null)
        .where('sessions.expires_at', '>', sql<Date>`now()`)
        .where('sessions.id', '=', (eb) =>
          eb.selectFrom('refresh_tokens').select('session_id').where('hash', '=', hash),
        ),
    )
    .with('taken', (cte) =>
      cte
        .updateTable('refresh_tokens')
        .set({ rotated_at: sql<Date>`now()` })
        .where('hash', '=', hash)
        .where('rotated_at', 'is', null)
        .where('session_id', 'in', (eb) => eb.selectFrom('session').select('id'))
        .returning('session_id'),
    )
    .with('next', (cte) =>
      cte
        .insertInto('refresh_tokens')
        .columns(['hash', 'session_id'])
        .expression((eb) =>
          eb.selectFrom('taken').select([sql<Buffer>`${successor}::bytea`.as('hash'), 'session_id']),
        ),
    )
    .with('used', (cte) =>
      cte
        .updateTable('sessions')
        .set({
          last_used_at: sql<Date>`now()`,
          ip,
          expires_at: sql<Date>`case when remember
            then ${sessionEnd(true, sql`created_at`)} else ${sessionEnd(false, sql`created_at`)} end`,
        })
        .where('id', 'in', (eb) => eb.selectFrom('taken').select('session_id')),
    )
    .selectFrom('taken')
    .innerJoin('session', 'session.id', 'taken.session_id')
    .select(['session_id', 'session.user_id', 'session.remember'])
    .executeTakeFirst()
}

/** State of a token that could not be taken. `fresh`: it was rotated within the grace period. */
export const findRefreshToken = (db: Executor, hash: Buffer, graceSeconds: number) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'session_id',
      'user_id',
      'remember',
      'users.username',
      sql<boolean>`sessions.expires_at > now() and users.disabled_at is null`.as('alive'),
      sql<boolean>`rotated_at > now() - make_interval(secs => ${graceSeconds})`.as('fresh'),
    ])
    .where('hash', '=', hash)
    .executeTakeFirst()

export const sessionsOf = (db: Executor, userId: string) =>
  db
    .selectFrom('sessions')
    .select(SESSIONS)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()

/** Returns whether the user has a session from this client; null without any session. */
export async function isSignedInFrom(
  db: Executor,
  userId: string,
  { ip, userAgent }: { ip: string; userAgent: string },
): Promise<boolean | null> {
  const { known } = await db
    .selectFrom('sessions')
    .select(sql<boolean | null>`bool_or(ip = ${ip} and user_agent = ${userAgent})`.as('known'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return known
}

export async function sessionIsYoungerThan(
  db: Executor,
  sessionId: string,
  seconds: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('created_at', '>', secondsAgo(seconds))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns whether there is a password, a passkey that can sign in alone, or an identity with an enabled
 * provider.
 */
export async function hasSignInMethod(db: Executor, userId: string): Promise<boolean> {
  const password = db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', 'is not', null)
  const passkey = db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .where('user_verified', '=', true)
  const identity = db
    .selectFrom('oauth_identities')
    .innerJoin('oauth_providers', 'oauth_providers.provider_id', 'oauth_identities.provider_id')
    .select('oauth_identities.id')
    .where('user_id', '=', userId)
    .where('enabled', '=', true)
  const { open } = await db
    .selectNoFrom((eb) => eb.or([eb.exists(password), eb.exists(passkey), eb.exists(identity)]).as('open'))
    .executeTakeFirstOrThrow()
  return open === true
}

export const deleteExpiredSessions = (db: Executor) =>
  db
    .deleteFrom('sessions')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
