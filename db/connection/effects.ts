import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isUnavailable } from './errors.ts'

/** What a request may have changed so far; used in the error response if it fails. */
export interface Effects {
  mayHaveWritten: boolean
  /** The record change that reports the outcome. */
  change: { domainId: string; id: string } | null
}

const current = new AsyncLocalStorage<Effects | null>()

/** Runs `work` and collects in `effects` everything it changes, including work it starts. */
export const notingEffects = (effects: Effects, work: () => void): void => current.run(effects, work)

/** Runs work that changes nothing a caller asked for: leases, counters. */
export const bookkeeping = <T>(work: () => T): T => current.run(null, work)

/** The change that does the work of the request; it may never be stored. */
export function noteChange(change: { domainId: string; id: string }): void {
  const effects = current.getStore()
  if (effects) effects.change = change
}

/** Notes that `work` changes something, unless its error proves that it didn't. */
export async function noteWrite<T>(
  work: () => Promise<T>,
  changedNothing: (error: unknown) => boolean,
): Promise<T> {
  const effects = current.getStore()
  if (!effects) return work()
  const before = effects.mayHaveWritten
  effects.mayHaveWritten = true
  try {
    return await work()
  } catch (error) {
    if (changedNothing(error)) effects.mayHaveWritten = before
    throw error
  }
}

const BEGIN = /^\s*(?:begin|start transaction)\b/i
const COMMIT = /^\s*commit\b/i
const ROLLBACK = /^\s*rollback\s*$/i
const WRITE = /\b(?:insert\s+into|delete\s+from|update\s+\S+\s+(?:as\s+\S+\s+)?set)\b/i

/**
 * Whether the server rejected the statement. One cut off by a stop or failover may still have taken effect.
 */
const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && !isUnavailable(error)

/** A pool client whose writes are noted; in a transaction, on commit. */
export function noting(client: PostgresPoolClient): PostgresPoolClient {
  let inTransaction = false
  let writes = false
  const send = client.query as unknown as (text: string, values: readonly unknown[]) => Promise<unknown>

  const query = (text: string, values: readonly unknown[]): Promise<unknown> => {
    const pass = () => send.call(client, text, values)
    if (BEGIN.test(text)) {
      inTransaction = true
      writes = false
    } else if (COMMIT.test(text) || ROLLBACK.test(text)) {
      inTransaction = false
      if (writes && COMMIT.test(text)) return noteWrite(pass, isRefusal)
    } else if (inTransaction) {
      writes ||= WRITE.test(text)
    } else if (WRITE.test(text)) return noteWrite(pass, isRefusal)
    return pass()
  }
  return {
    // Kysely's type also has cursors, which are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (...how) => client.release(...how),
  }
}
