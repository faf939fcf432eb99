import type { Kysely } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Database } from '../../../db/tables/index.ts'
import { takenOver } from './errors.ts'
import { keepDonePart } from './queries.ts'
import type { Reliance, WithKey } from './keyed-request.ts'

/** Name of the part for requests with a single one. */
const WHOLE = 'result'

/** Stores the result of the whole work in its transaction; see `once`. */
export const keepResult = (trx: Executor, caller: WithKey, result: unknown): Promise<void> =>
  keepPart(trx, caller, WHOLE, result)

/**
 * Runs the work in a transaction that also stores its result for repeats with the same Idempotency-Key. Rolls back if
 * another run of the request has taken the key.
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

/** Returns what `keepResult` stored in an earlier run of the request, or else runs the work. */
export async function once<T>(caller: WithKey, work: () => Promise<T>): Promise<T> {
  const done = donePart(caller, WHOLE)
  return done === undefined ? work() : (done as T)
}

/**
 * Stores the result of one part of the work in its transaction; a later run finds it by `donePart`. `instead` replaces an
 * earlier result that had no effect. Rejects if another run has taken the key or has done the part.
 */
export async function keepPart(
  trx: Executor,
  { keyed }: WithKey,
  part: string,
  value: unknown,
  { instead = false } = {},
): Promise<void> {
  if (!keyed) return
  // A response without content discloses nothing, so it requires no access.
  const restsOn = value === undefined ? [] : [...keyed.restsOn.values()]
  const done = JSON.stringify({ value })
  if (!(await keepDonePart(trx, keyed, { part, done, restsOn, instead }))) throw takenOver()
}

/** Returns what an earlier run of the request stored for this part; undefined if it is not done. */
export function donePart({ keyed }: WithKey, part: string): unknown {
  const done = keyed?.doneParts[part]
  if (!keyed || !done) return undefined
  keyed.isReplay = true
  return done.value ?? null
}

/** Records access that the response requires. */
export const reliesOn = ({ keyed }: WithKey, reliance: Reliance): void =>
  void keyed?.restsOn.set(`${reliance.domainId} ${reliance.need}`, reliance)
