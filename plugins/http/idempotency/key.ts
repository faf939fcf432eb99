import type { Kysely } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Database } from '../../../db/tables/index.ts'
import { takenOver } from './errors.ts'
import { keepDonePart } from './queries.ts'
import type { Reliance, WithKey } from './keyed-request.ts'

/** The part of a request that is one. */
const WHOLE = 'result'

/** Stores the result of all of the work in its transaction: see `once`. */
export const keepResult = (trx: Executor, caller: WithKey, result: unknown): Promise<void> =>
  keepPart(trx, caller, WHOLE, result)

/**
 * Does the work in a transaction that also stores its result for a repeat with the same Idempotency-Key.
 * It rolls back when another run of the request has the key by now.
 */
export const keepingResult = <T>(
  db: Kysely<Database>,
  caller: WithKey,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    const result = await work(trx)
    await keepResult(trx, caller, result)
    return result
  })

/** What `keepResult` stored in an earlier run of the request, or else what the work answers. */
export async function once<T>(caller: WithKey, work: () => Promise<T>): Promise<T> {
  const done = donePart(caller, WHOLE)
  return done === undefined ? work() : (done as T)
}

/**
 * Stores in the transaction of a part of the work what it came to; a later run finds it by `donePart`. `instead`: the
 * part was done before and came to nothing. Rejects when another run has the key by now, or has done the part.
 */
export async function keepPart(
  trx: Executor,
  { keyed }: WithKey,
  part: string,
  value: unknown,
  { instead = false } = {},
): Promise<void> {
  if (!keyed) return
  // An answer without content tells nothing, so it rests on nothing.
  const restsOn = value === undefined ? [] : [...keyed.restsOn.values()]
  const done = JSON.stringify({ value })
  if (!(await keepDonePart(trx, keyed, { part, done, restsOn, instead }))) throw takenOver()
}

/** What an earlier run of the request stored for that part; undefined: it is not done. */
export function donePart({ keyed }: WithKey, part: string): unknown {
  const done = keyed?.doneParts[part]
  if (!keyed || !done) return undefined
  keyed.isReplay = true
  return done.value ?? null
}

/** Notes what the answer rests on. */
export const reliesOn = ({ keyed }: WithKey, reliance: Reliance): void =>
  void keyed?.restsOn.set(`${reliance.domainId} ${reliance.need}`, reliance)

/** The caller for a part of the work that is not stored as its whole. */
export function withoutKey<T extends WithKey>(caller: T): T {
  const { keyed: _keyed, ...rest } = caller
  return rest as T
}
