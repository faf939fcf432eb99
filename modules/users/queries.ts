import { sql, type Expression, type Insertable, type Selectable, type SqlBool, type Updateable } from 'kysely'
import { USERS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { UsersTable } from '../../db/tables/index.ts'

export type UserRow = Selectable<UsersTable>

/** A user with the data that decides whether sign-in requires a second factor. */
export type AccountRow = UserRow & { has_passkeys: boolean }

const hasPasskeys = sql<boolean>`exists (select from passkeys where passkeys.user_id = users.id)`

export const findUserById = (db: Executor, id: string) =>
  db
    .selectFrom('users')
    .select(USERS)
    .select(hasPasskeys.as('has_passkeys'))
    .where('id', '=', id)
    .executeTakeFirst()

/** `username` in lower case. */
export const findUserByName = (db: Executor, username: string) =>
  db.selectFrom('users').select(USERS).where('username', '=', username).executeTakeFirst()

/** `email` in lower case. */
export const findUserByEmail = (db: Executor, email: string) =>
  db.selectFrom('users').select(USERS).where('email', '=', email).executeTakeFirst()

/** Finds a user by user name or verified email address; `name` in lower case. */
export const findUserByLogin = (db: Executor, name: string) =>
  db
    .selectFrom('users')
    .select(USERS)
    .where((eb) =>
      eb.or([eb('username', '=', name), eb.and([eb('email', '=', name), eb('email_verified', '=', true)])]),
    )
    // A user name that looks like another user's address must not hide that account.
    .orderBy(sql`username = ${name}`, 'desc')
    .executeTakeFirst()

/** Returns those of the names that are in use; in lower case. */
export async function takenUsernames(db: Executor, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('users').select('username').where('username', 'in', names).execute()
  return new Set(rows.map((row) => row.username))
}

export const insertUser = (db: Executor, user: Insertable<UsersTable>) =>
  db.insertInto('users').values(user).returning(USERS).executeTakeFirstOrThrow()

/**
 * Returns whether the verified password is still the user's, locked until the end of the transaction:
 * verifying takes long enough for a change, which must end the session that starts here.
 */
export async function holdPassword(db: Executor, id: string, passwordHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locked until the end of the transaction, so that of several starting instances one creates the first user.
 */
export const lockFirstUser = (db: Executor) => sql`select pg_advisory_xact_lock(7003514)`.execute(db)

export const anyUser = (db: Executor) => db.selectFrom('users').select('id').limit(1).executeTakeFirst()

export const updateUser = (db: Executor, id: string, set: Updateable<UsersTable>) =>
  db
    .updateTable('users')
    .set({ ...set, updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(USERS)
    .returning(hasPasskeys.as('has_passkeys'))
    .executeTakeFirst()

/** A user with the additional data for administrators. */
export type UserViewRow = AccountRow & { session_count: number }

const views = (db: Executor) =>
  db
    .selectFrom('users')
    .select(USERS)
    .select([
      hasPasskeys.as('has_passkeys'),
      sql<number>`(select count(*)::int from sessions
        where sessions.user_id = users.id and sessions.expires_at > now())`.as('session_count'),
    ])

export const findUserView = (db: Executor, id: string) =>
  views(db).where('users.id', '=', id).executeTakeFirst()

export interface UserFilter {
  search?: string
  role?: 'admin' | 'member'
  kind?: 'person' | 'machine'
}

function matching({ search, role, kind }: UserFilter): Expression<SqlBool> {
  const conditions = [sql<SqlBool>`true`]
  if (role !== undefined) conditions.push(sql<SqlBool>`role = ${role}`)
  if (kind !== undefined) conditions.push(sql<SqlBool>`account_kind = ${kind}`)
  if (search !== undefined && search !== '') {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    conditions.push(
      sql<SqlBool>`(username like ${pattern} or email like ${pattern} or lower(display_name) like ${pattern})`,
    )
  }
  return sql.join(conditions, sql` and `)
}

export const listUserViews = (db: Executor, filter: UserFilter, { page, limit }: Page) =>
  views(db)
    .where(matching(filter))
    .orderBy('username')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()

export async function countUsers(db: Executor, filter: UserFilter): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(matching(filter))
    .executeTakeFirstOrThrow()
  return count
}

export interface Page {
  page: number
  limit: number
}

/** Locks the user until the end of the transaction, so that changes to one account are serialized. */
export const lockUser = (db: Executor, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(USERS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Like lockUser, and also prevents new references to the user. */
export const lockUserForDeletion = (db: Executor, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(USERS).where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * The enabled administrators who are people, locked until the end of the transaction: two who demote each
 * other are serialized, and the second sees the first one's change.
 */
export const lockAdministrators = (db: Executor) =>
  db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('account_kind', '=', 'person')
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const deleteUser = (db: Executor, id: string) => db.deleteFrom('users').where('id', '=', id).execute()

/**
 * Ends sessions of the user (all, one, or all but one) and acme-dns accounts registered with them. Returns
 * the ids of ended sessions. Registrations from before sessions were recorded end too, unless a single
 * session is meant.
 */
export async function deleteSessions(
  db: Executor,
  userId: string,
  which: { only?: string; except?: string } = {},
): Promise<string[]> {
  const { only, except } = which
  const rows = await db
    .with('unattributed', (cte) =>
      cte
        .deleteFrom('acme_registrations')
        .where('user_id', '=', userId)
        .where('token_id', 'is', null)
        .where('session_id', 'is', null)
        .$if(only !== undefined, (query) => query.where(sql<boolean>`false`)),
    )
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Returns whether the user's session is still valid. */
export async function sessionLives(db: Executor, sessionId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** Revokes all personal tokens of the user; returns their number. */
export async function deletePersonalTokens(db: Executor, userId: string): Promise<number> {
  const rows = await db.deleteFrom('personal_tokens').where('user_id', '=', userId).returning('id').execute()
  return rows.length
}

/** Second-factor steps waiting for a code. */
export const deleteChallengesOf = (db: Executor, userId: string) =>
  db.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute()

/** Removes all second factors including passkeys, and pending steps. */
export async function deleteSecondFactors(db: Executor, userId: string): Promise<void> {
  await updateUser(db, userId, {
    totp_secret: null,
    totp_enabled: false,
    email_codes_enabled: false,
    factor_failures: 0,
    factor_failures_since: null,
  })
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await deleteChallengesOf(db, userId)
}
