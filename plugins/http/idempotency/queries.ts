import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DueTime } from '../../work/due-times-queries.ts'
import { LEASE_SECONDS } from '../../work/leases.ts'

const KEPT_HOURS = 24

/** A key of a user, and the run of its request that has it. */
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

const lease = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/**
 * Takes the key: it is new, or the last run of its request ended or died before it answered. Answers what that had done;
 * undefined when another run has the key, or it has an answer, or was used for another request.
 */
export async function takeKey(
  db: Executor,
  { userId, key, claim }: Claim,
  hash: Buffer,
): Promise<{ done_parts: Record<string, unknown>; rests_on: object[] } | undefined> {
  const { rows } = await sql<{ done_parts: Record<string, unknown>; rests_on: object[] }>`
    insert into idempotency_keys as known (user_id, key, request_hash, claim, lease_until)
    values (${userId}, ${key}, ${hash}, ${claim}, ${lease})
    on conflict (user_id, key) do update set request_hash = excluded.request_hash, created_at = now(),
      claim = excluded.claim, lease_until = excluded.lease_until
    where known.status is null and known.lease_until < now()
      and (known.request_hash = excluded.request_hash or known.done_parts = '{}')
    returning done_parts, rests_on
  `.execute(db)
  return rows[0]
}

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

/** False when another run has the key by now, or the part was done and this is not `instead`. `done`: JSON. */
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

/** Frees the key for a repeat, which finds what was done. */
export const releaseKey = (db: Executor, claim: Claim) =>
  ofClaim(db, claim)
    .set({ claim: null, lease_until: sql<Date>`now() - interval '1 second'` })
    .execute()

export const renewClaims = (db: Executor, claims: readonly string[]) =>
  sql`update idempotency_keys set lease_until = ${lease} where claim = any(${claims}::uuid[])`.execute(db)

/** For the start of a service that is alone on its database. */
export const endAllClaims = (db: Executor) =>
  sql`
    update idempotency_keys set claim = null, lease_until = now() - interval '1 second' where claim is not null
  `.execute(db)

export const forgetOldKeys = (db: Executor) =>
  db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${KEPT_HOURS})`)
    .execute()
