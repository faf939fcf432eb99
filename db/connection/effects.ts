import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isUnavailable } from './errors.ts'

/** What a request may have changed so far, for the answer when it fails. */
export interface Effects {
  mayHaveWritten: boolean
  /** The change of records that says what was done. */
  change: { domainId: string; id: string } | null
}

const current = new AsyncLocalStorage<Effects | null>()

/** Notes in `effects` what `work` changes, and all that it begins. */
export const notingEffects = (effects: Effects, work: () => void): void => current.run(effects, work)

/** For what changes nothing that a caller asked for: leases, counters. */
export const bookkeeping = <T>(work: () => T): T => current.run(null, work)

/** The change by which the request does its work; it may never come to be. */
export function noteChange(change: { domainId: string; id: string }): void {
  const effects = current.getStore()
  if (effects) effects.change = change
}

/** Notes that `work` changes something, unless it fails in a way that says it did not. */
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

/** The server has refused the statement; one that is ended by a stop or failover may be done all the same. */
const isRefusal = (error: unknown): boolean => error instanceof pg.DatabaseError && !isUnavailable(error)

/** A client of a pool whose writes are noted: in a transaction as soon as it commits. */
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
    // Kysely's type has cursors as well, which are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (...how) => client.release(...how),
  }
}
