import { sql, type Insertable, type Selectable } from 'kysely'
import { PERSONAL_TOKENS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { PersonalTokensTable } from '../../../db/tables/index.ts'
import { tokenLives } from '../../../plugins/security/access/index.ts'

export type TokenRow = Selectable<PersonalTokensTable>

export const insertToken = (
  db: Executor,
  row: Omit<Insertable<PersonalTokensTable>, 'last_used_at' | 'replaced_by'>,
) =>
  db
    .insertInto('personal_tokens')
    .values({ ...row, last_used_at: null, replaced_by: null })
    .returning(PERSONAL_TOKENS)
    .executeTakeFirstOrThrow()

export const tokensOf = (db: Executor, userId: string) =>
  db
    .selectFrom('personal_tokens')
    .select(PERSONAL_TOKENS)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export async function countTokens(db: Executor, userId: string): Promise<number> {
  const row = await db
    .selectFrom('personal_tokens')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.count
}

export const findToken = (db: Executor, id: string) =>
  db.selectFrom('personal_tokens').select(PERSONAL_TOKENS).where('id', '=', id).executeTakeFirst()

/** Returns a valid token, locked until the end of the transaction. */
export const lockLivingToken = (db: Executor, userId: string, id: string, maxDays: number | null) =>
  db
    .selectFrom('personal_tokens')
    .select(PERSONAL_TOKENS)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(tokenLives(maxDays))
    .forUpdate()
    .executeTakeFirst()

/**
 * Marks the token as replaced by `by` and ends it after so many seconds, unless it ends earlier.
 * Registrations and TSIG keys made with it continue with `by`.
 */
export const replaceToken = (db: Executor, id: string, by: string, seconds: number) =>
  db
    .with('moved', (db) =>
      db.updateTable('acme_registrations').set({ token_id: by }).where('token_id', '=', id),
    )
    .with('moved_keys', (db) => db.updateTable('tsig_keys').set({ token_id: by }).where('token_id', '=', id))
    .updateTable('personal_tokens')
    .set({
      replaced_by: by,
      expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${seconds}))`,
    })
    .where('id', '=', id)
    .execute()

/** Deletes a token with its predecessors and successors; returns them, the token first. */
export async function deleteToken(
  db: Executor,
  userId: string,
  id: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    with recursive own as (
      select id, replaced_by from personal_tokens where user_id = ${userId}
    ), ending as (
      select id, replaced_by from own where id = ${id}
      union
      select own.id, own.replaced_by from own
      join ending on own.replaced_by = ending.id or own.id = ending.replaced_by
    ), deleted as (
      delete from personal_tokens where id in (select id from ending) returning id, name
    )
    select id, name from deleted order by id <> ${id}, id
  `.execute(db)
  return rows
}

/** Replaced tokens that have expired. */
export const deleteReplacedTokens = (db: Executor) =>
  db
    .deleteFrom('personal_tokens')
    .where('replaced_by', 'is not', null)
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
