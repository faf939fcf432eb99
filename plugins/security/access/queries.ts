import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { SecondFactorRule } from '../../installation.ts'
import type { Role } from '../../../schemas/people/user.ts'
import { lacksFactor } from './second-factor.ts'
import type { TokenGrant } from './token-grant.ts'

const DAY_MS = 24 * 3600 * 1000

/**
 * The end of a personal token: its own, or the maximum lifetime of the installation. `table`: the name or
 * alias of `personal_tokens` in the statement.
 */
export const tokenEnd = (maxDays: number | null, table = 'personal_tokens'): RawBuilder<Date | null> => {
  const own = sql.ref<Date | null>(`${table}.expires_at`)
  if (maxDays === null) return sql`${own}`
  // In hours, because a day of the session's time zone can have 23 or 25.
  return sql`least(${own}, ${sql.ref(`${table}.created_at`)} + make_interval(hours => ${maxDays * 24}::int))`
}

/** Whether a personal token is still valid. */
export const tokenLives = (maxDays: number | null, table?: string): RawBuilder<boolean> =>
  sql`coalesce(${tokenEnd(maxDays, table)} > now(), true)`

/** The same end for a row that was read. */
export function endOfRow(
  { created_at: createdAt, expires_at: expiresAt }: { created_at: Date; expires_at: Date | null },
  maxDays: number | null,
): Date | null {
  if (maxDays === null) return expiresAt
  const latest = latestEnd(maxDays, createdAt.getTime())
  return expiresAt !== null && expiresAt < latest ? expiresAt : latest
}

/** The latest end of a token created now. */
export const latestEnd = (maxDays: number, createdAt = Date.now()): Date =>
  new Date(createdAt + maxDays * DAY_MS)

/** For a row of `users`: whether sign-in requires a second factor, as in modules/auth/two-factor/methods. */
const hasFactor = sql<boolean>`(users.totp_enabled or users.email_codes_enabled
  or exists (select from passkeys where passkeys.user_id = users.id))`

/** Returns the user of a valid session; the user must be enabled. */
export const findSessionUser = (db: Executor, sessionId: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as userId', 'users.username', 'users.role', 'sessions.expires_at'])
    .select(['users.account_kind as kind', hasFactor.as('hasFactor')])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', new Date())
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()

/** Returns a valid personal token with its user, who must be enabled. */
export const findToken = (db: Executor, hash: Buffer, maxDays: number | null) =>
  db
    .selectFrom('personal_tokens')
    .innerJoin('users', 'users.id', 'personal_tokens.user_id')
    .select([
      'personal_tokens.id',
      'personal_tokens.name',
      'permissions',
      'restrictions',
      'last_used_at',
      tokenEnd(maxDays).as('ends_at'),
    ])
    .select(['user_id', 'username', 'role', 'account_kind as kind', hasFactor.as('hasFactor')])
    .where('hash', '=', hash)
    .where(tokenLives(maxDays))
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()

/** Returns what a valid token allows, from any address. */
export async function findTokenGrant(
  db: Executor,
  id: string,
  maxDays: number | null,
): Promise<TokenGrant | undefined> {
  const row = await db
    .selectFrom('personal_tokens')
    .select(['id', 'name', 'token_suffix', 'permissions', 'restrictions'])
    .where('id', '=', id)
    .where(tokenLives(maxDays))
    .executeTakeFirst()
  if (!row) return undefined
  const { name, token_suffix: suffix, permissions, restrictions } = row
  return { id, name, suffix, permissions, restrictions: restrictions ?? {} }
}

/** Tokens from before the last characters were stored get them with their next use. */
export const recordTokenUse = (db: Executor, { id, suffix }: Pick<TokenGrant, 'id' | 'suffix'>) =>
  db
    .updateTable('personal_tokens')
    .set({ last_used_at: sql`now()`, token_suffix: suffix })
    .where('id', '=', id)
    .execute()

/** The user, unless disabled. */
export const findEnabledUser = (
  db: Executor,
  userId: string,
): Promise<{ userId: string; username: string; role: Role } | undefined> =>
  db
    .selectFrom('users')
    .select(['id as userId', 'username', 'role'])
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()

/** Returns those of the users who must have a second factor and have none. */
export async function findLackingFactor(
  db: Executor,
  rule: SecondFactorRule,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (rule === 'none' || userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'role', 'account_kind as kind', hasFactor.as('hasFactor')])
    .where('id', '=', anyOf(userIds))
    .execute()
  return new Set(rows.filter((row) => lacksFactor(rule, row)).map(({ id }) => id))
}
