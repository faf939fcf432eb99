import { sql } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import type { TokenGrant } from './token-grant.ts'

/** The user of a session that is not over; the user must be enabled. */
export const findSessionUser = (db: Executor, sessionId: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as userId', 'users.username', 'users.role', 'sessions.expires_at'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', new Date())
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()

/** A personal token that is not over with its user, who must be enabled. */
export const findToken = (db: Executor, hash: Buffer) =>
  db
    .selectFrom('personal_tokens')
    .innerJoin('users', 'users.id', 'personal_tokens.user_id')
    .select([
      'personal_tokens.id',
      'personal_tokens.name',
      'permissions',
      'restrictions',
      'expires_at',
      'last_used_at',
    ])
    .select(['user_id', 'username', 'role'])
    .where('hash', '=', hash)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()

/** What a token that is not over lets its bearer do, wherever it is used from. */
export async function findTokenGrant(db: Executor, id: string): Promise<TokenGrant | undefined> {
  const row = await db
    .selectFrom('personal_tokens')
    .select(['id', 'name', 'token_suffix', 'permissions', 'restrictions'])
    .where('id', '=', id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  if (!row) return undefined
  const { name, token_suffix: suffix, permissions, restrictions } = row
  return { id, name, suffix, permissions, restrictions: restrictions ?? {} }
}

/** Of tokens from before the last characters were kept it learns them. */
export const recordTokenUse = (db: Executor, { id, suffix }: Pick<TokenGrant, 'id' | 'suffix'>) =>
  db
    .updateTable('personal_tokens')
    .set({ last_used_at: sql`now()`, token_suffix: suffix })
    .where('id', '=', id)
    .execute()
