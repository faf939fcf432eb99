import { setTimeout as sleep } from 'node:timers/promises'
import type { Executor } from '../../../../db/connection/connect.ts'
import { holdTurns, readWait, takeTurn } from './pacing-queries.ts'
import { LookupError } from './registration.ts'

/** Pace of queries to each registry, shared by all instances. */
export interface Pacing {
  /**
   * Waits for the next turn at that server. Rejects with LookupError `rate_limited` when that takes longer
   * than `maxWaitMs`, and with the signal's reason when it is aborted.
   */
  turn(server: string, maxWaitMs: number, signal?: AbortSignal): Promise<void>
  /** Blocks queries for as long as the server requested. */
  rest(server: string, milliseconds: number): Promise<void>
}

/** One query per second suits most registries. */
const SPACING_MS = 1_000
const MAX_REST_MS = 24 * 3600 * 1000

export function createPacing(db: Executor, spacingMs: number = SPACING_MS): Pacing {
  return {
    async turn(server, maxWaitMs, signal) {
      const wait = await takeTurn(db, server, { spacingMs, maxWaitMs })
      if (wait === null) {
        const seconds = Math.ceil((await readWait(db, server)) / 1000)
        throw new LookupError('rate_limited', `Rate limit of ${server} reached; try again in ${seconds} s`)
      }
      if (wait > 0) await sleep(wait, undefined, signal && { signal })
    },
    async rest(server, milliseconds) {
      await holdTurns(db, server, Math.min(milliseconds, MAX_REST_MS))
    },
  }
}
