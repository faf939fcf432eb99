import { sql } from 'kysely'
import type { Executor } from '../db/connect.ts'

const KEPT_HOURS = 24

/** A request that never answered (its instance died) may be made again after that long. */
const ABANDONED_SECONDS = 120

/** True when the key is ours now: it was free, or its request died without an answer. */
export async function takeKey(db: Executor, userId: string, key: string, hash: Buffer): Promise<boolean> {
  const abandoned = sql<Date>`now() - make_interval(secs => ${ABANDONED_SECONDS})`
  const row = await db
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, request_hash: hash, status: null, headers: null, body: null })
    .onConflict((on) =>
      on
        .columns(['user_id', 'key'])
        .doUpdateSet({ request_hash: hash, created_at: sql`now()` })
        .where('idempotency_keys.status', 'is', null)
        .where('idempotency_keys.created_at', '<', abandoned),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

export const readAnswer = (db: Executor, userId: string, key: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'headers', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()

export const keepAnswer = (
  db: Executor,
  userId: string,
  key: string,
  answer: { status: number; headers: object; body: string },
) =>
  db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, headers: JSON.stringify(answer.headers), body: answer.body })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()

export async function dropKey(db: Executor, userId: string, key: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('user_id', '=', userId).where('key', '=', key).execute()
}

export const forgetOldKeys = (db: Executor) =>
  db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute()
