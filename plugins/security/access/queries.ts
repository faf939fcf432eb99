import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { hasFactor } from './second-factor-queries.ts'
import { tokenEnd, tokenLives } from './token-end-queries.ts'
import type { TokenGrant } from './token-grant.ts'

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
