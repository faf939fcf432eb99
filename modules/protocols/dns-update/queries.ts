import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'

/** What to answer to a signed message. */
export type Claim = { isNew: true } | { isNew: false; rcode: number | null }

/** Marks a signed message as worked on; if it was before, returns its answer, null while that is not known. */
export async function claimMessage(
  db: Executor,
  { keyId, mac, seconds }: { keyId: string; mac: Buffer; seconds: number },
): Promise<Claim> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('signed_messages')
    .values({
      key_id: keyId,
      mac,
      rcode: null,
      expires_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .onConflict((conflict) => conflict.columns(['key_id', 'mac']).doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return { isNew: true }
  return { isNew: false, rcode: await answerOf(db, { keyId, mac }) }
}

/** Returns the answer to a message that was claimed; null: not known. */
export async function answerOf(
  db: Executor,
  { keyId, mac }: { keyId: string; mac: Buffer },
): Promise<number | null> {
  const row = await db
    .selectFrom('signed_messages')
    .select('rcode')
    .where('key_id', '=', keyId)
    .where('mac', '=', mac)
    .executeTakeFirst()
  return row?.rcode ?? null
}

export const storeAnswer = (
  db: Executor,
  { keyId, mac, rcode }: { keyId: string; mac: Buffer; rcode: number },
) =>
  db
    .updateTable('signed_messages')
    .set({ rcode })
    .where('key_id', '=', keyId)
    .where('mac', '=', mac)
    .execute()

export const deleteOldMessages = (db: Executor) =>
  db
    .deleteFrom('signed_messages')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()

/** The zones of these names that have records, for callers who are not known. */
export const findZones = (db: Executor, names: readonly string[]) =>
  db
    .selectFrom('domains')
    .select(['name', 'soa', 'name_servers', 'default_ttl', 'record_version'])
    .where('name', '=', anyOf(names))
    .orderBy(sql`length(name)`, 'desc')
    .orderBy('id')
    .limit(1)
    .execute()
