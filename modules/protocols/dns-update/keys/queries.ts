import { sql, type Insertable } from 'kysely'
import type { Executor } from '../../../../db/connection/connect.ts'
import type { TsigKeysTable } from '../../../../db/tables/index.ts'
import { tokenLives } from '../../../../plugins/security/access/index.ts'

/** Returns the new row; undefined if the token has `limit` keys already. */
export async function insertKey(
  db: Executor,
  row: Insertable<TsigKeysTable>,
  limit: number,
): Promise<{ created_at: Date } | undefined> {
  // One key of a token at a time, so that the limit holds.
  await sql`select from personal_tokens where id = ${row.token_id} for update`.execute(db)
  const { rows } = await sql<{ created_at: Date }>`
    insert into tsig_keys (id, token_id, name, algorithm, secret)
    select ${row.id}::uuid, ${row.token_id}::uuid, ${row.name}, ${row.algorithm}, ${row.secret}::bytea
    where (select count(*) from tsig_keys where token_id = ${row.token_id}) < ${limit}
    returning created_at
  `.execute(db)
  return rows[0]
}

/** Returns the keys of a token, oldest first. */
export const keysOf = (db: Executor, tokenId: string) =>
  db
    .selectFrom('tsig_keys')
    .select(['id', 'name', 'algorithm', 'created_at', 'last_used_at'])
    .where('token_id', '=', tokenId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const deleteKey = (db: Executor, tokenId: string, id: string) =>
  db
    .deleteFrom('tsig_keys')
    .where('token_id', '=', tokenId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()

/** Returns the key of that name, with its token and user, while the token is valid and the user enabled. */
export const findKey = (db: Executor, name: string, maxTokenDays: number | null) =>
  db
    .selectFrom('tsig_keys as key')
    .innerJoin('personal_tokens as token', 'token.id', 'key.token_id')
    .innerJoin('users', 'users.id', 'token.user_id')
    .select(['key.id', 'key.name', 'key.algorithm', 'key.secret', 'key.last_used_at'])
    .select(['key.token_id', 'token.user_id'])
    .where('key.name', '=', name)
    .where('users.disabled_at', 'is', null)
    .where(tokenLives(maxTokenDays, 'token'))
    .executeTakeFirst()

/** Notes the use of a key and of its token. */
export const recordKeyUse = (db: Executor, id: string) =>
  db
    .with('used', (db) =>
      db
        .updateTable('tsig_keys')
        .set({ last_used_at: sql<Date>`now()` })
        .where('id', '=', id)
        .returning('token_id'),
    )
    .updateTable('personal_tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', 'in', (eb) => eb.selectFrom('used').select('token_id'))
    .execute()
