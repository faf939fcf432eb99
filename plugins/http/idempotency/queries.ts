import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, inSeconds } from '../../../db/expressions.ts'
import type { DueTime } from '../../work/due-times-queries.ts'
import { LEASE_SECONDS } from '../../work/leases.ts'

const KEPT_HOURS = 24

/** A key of a user, and the run of its request that holds it. */
export interface Claim {
  userId: string
  key: string
  claim: string
}

export const CLAIMS_DUE: DueTime = {
  table: 'idempotency_keys',
  column: 'lease_until',
  longest: LEASE_SECONDS,
  where: sql`claim is not null`,
}

const lease = inSeconds(LEASE_SECONDS)

/**
 * Takes the key where it is new, or where the last run of its request ended or died before it answered. Returns what
 * that run had done; undefined when another run has the key, it has an answer, or it was used for another request.
 */
export const takeKey = (db: Executor, { userId, key, claim }: Claim, hash: Buffer) =>
  db
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, request_hash: hash, claim, lease_until: lease })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet((eb) => ({
          request_hash: eb.ref('excluded.request_hash'),
          created_at: sql`now()`,
          claim: eb.ref('excluded.claim'),
          lease_until: eb.ref('excluded.lease_until'),
        }))
        .where('idempotency_keys.status', 'is', null)
        .where('idempotency_keys.lease_until', '<', sql<Date>`now()`)
        .where((eb) =>
          eb.or([
            eb('idempotency_keys.request_hash', '=', eb.ref('excluded.request_hash')),
            eb('idempotency_keys.done_parts', '=', sql<never>`'{}'`),
          ]),
        ),
    )
    .returning(['done_parts', 'rests_on'])
    .executeTakeFirst()

export const readAnswer = (db: Executor, userId: string, key: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'headers', 'body', 'rests_on'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()

const ofClaim = (db: Executor, { userId, key, claim }: Claim) =>
  db
    .updateTable('idempotency_keys')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('claim', '=', claim)

/** Returns false if another run has the key, or if the part was done and this is not `instead`. `done` is JSON. */
export async function keepDonePart(
  trx: Executor,
  claim: Claim,
  { part, done, restsOn, instead }: { part: string; done: string; restsOn: object[]; instead: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await ofClaim(trx, claim)
    .set({
      done_parts: sql`done_parts || jsonb_build_object(${part}::text, ${done}::jsonb)`,
      rests_on: JSON.stringify(restsOn),
    })
    .where(sql<boolean>`(${instead} or not done_parts ? ${part})`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const keepAnswer = (
  db: Executor,
  claim: Claim,
  answer: { status: number; headers: object; body: string; restsOn: object[] },
) =>
  ofClaim(db, claim)
    .set({
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      body: answer.body,
      rests_on: JSON.stringify(answer.restsOn),
      claim: null,
    })
    .execute()

const free = { claim: null, lease_until: sql<Date>`now() - interval '1 second'` }

/** Frees the key for a repeat, which finds what was done. */
export const releaseKey = (db: Executor, claim: Claim) => ofClaim(db, claim).set(free).execute()

export const renewClaims = (db: Executor, claims: readonly string[]) =>
  db.updateTable('idempotency_keys').set({ lease_until: lease }).where('claim', '=', anyOf(claims)).execute()

/** Frees all keys, at the start of a service that is alone on its database. */
export const endAllClaims = (db: Executor) =>
  db.updateTable('idempotency_keys').set(free).where('claim', 'is not', null).execute()

export const forgetOldKeys = (db: Executor) =>
  db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute()
