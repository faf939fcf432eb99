import type { Executor } from '../../../db/connection/connect.ts'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import { announceAll } from '../../../plugins/events/outbox/announce.ts'
import { newEvent } from '../../../plugins/events/outbox/event.ts'
import { takeEndingTokens, type EndingToken } from './reminder-queries.ts'

/** Lead time of the token expiry notice. */
const REMIND_DAYS = 7
const BATCH = 200

/** Notifies owners of tokens that expire soon, once each, on any number of instances. */
export async function sweepTokenReminders(
  { db, maxTokenDays }: { db: Kysely<Database>; maxTokenDays: number | null },
  signal?: AbortSignal,
): Promise<void> {
  const sweep = async (trx: Executor): Promise<number> => {
    const ending = await takeEndingTokens(trx, { days: REMIND_DAYS, maxTokenDays, limit: BATCH })
    await announceAll(trx, ending.map(toEvent))
    return ending.length
  }
  while ((await db.transaction().execute(sweep)) === BATCH) if (signal?.aborted) return
}

const toEvent = ({ id, name, expires_at: expiresAt, username, receivers }: EndingToken) =>
  newEvent('account.token_expiring', {
    metadata: { username, tokenId: id, tokenName: name, expiresAt: expiresAt.toISOString() },
    actorId: null,
    userIds: receivers,
  })
