import { sql, type Insertable, type Selectable } from 'kysely'
import { PERSONAL_TOKENS } from '../../../db/columns.ts'
import type { Executor } from '../../../db/connect.ts'
import type { PersonalTokensTable } from '../../../db/tables.ts'

export type TokenRow = Selectable<PersonalTokensTable>

export const insertToken = (db: Executor, row: Insertable<PersonalTokensTable>) =>
  db.insertInto('personal_tokens').values(row).returning(PERSONAL_TOKENS).executeTakeFirstOrThrow()

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

export const deleteToken = (db: Executor, userId: string, id: string) =>
  db
    .deleteFrom('personal_tokens')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
