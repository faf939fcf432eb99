import { unavailable } from '../../../plugins/http/errors.ts'
import { serviceStopping } from '../../../plugins/http/graceful-shutdown.ts'
import { ProviderError } from '../../providers/contract.ts'
import type { ProviderLimits } from '../../providers/traffic/limits.ts'

/** Records of zones that this process holds in memory at a time, while they are read and compared. */
export interface ZoneMemory {
  /**
   * Waits for room for so many records of a zone of that owner, and answers what gives it back. Rejects with 503 after
   * `waitMs`, and when the service stops; without it waits for as long as it takes.
   */
  take(ownerId: string, records: number, waitMs?: number): Promise<() => void>
}

interface Reading {
  ownerId: string
  records: number
}

/**
 * Room for `capacity` records in all; half of it for those of one owner, so that their zones, and providers of theirs
 * that hang, leave room for others. Whoever finds nothing else there gets room for any number.
 */
export function createZoneMemory(capacity: number, stop?: AbortSignal): ZoneMemory {
  const under = new Set<Reading>()
  /** In the order in which they came; each call begins one. */
  const waiting = new Map<Reading, () => void>()

  function fits({ ownerId, records }: Reading): boolean {
    const all = [...under]
    const own = all.filter((reading) => reading.ownerId === ownerId)
    return isRoom(all, records, capacity) && isRoom(own, records, capacity / 2)
  }

  function begin(reading: Reading): () => void {
    under.add(reading)
    return () => {
      under.delete(reading)
      // What is smaller, or another's, may overtake.
      for (const [next, start] of waiting) if (fits(next)) start()
    }
  }

  return {
    async take(ownerId, records, waitMs) {
      const reading = { ownerId, records }
      if (fits(reading)) return begin(reading)
      if (stop?.aborted) throw serviceStopping()
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      waiting.set(reading, () => {
        waiting.delete(reading)
        resolve(begin(reading))
      })
      const refuse = (error: Error) => {
        waiting.delete(reading)
        reject(error)
      }
      const end = () => refuse(serviceStopping())
      stop?.addEventListener('abort', end)
      const timer = waitMs === undefined ? undefined : setTimeout(() => refuse(tooMany()), waitMs)
      return promise.finally(() => {
        clearTimeout(timer)
        stop?.removeEventListener('abort', end)
      })
    },
  }
}

/**
 * How many times what a request may spend at a provider goes into reading a zone: of a large one it is many pages. A
 * person waits for the one, nobody for the other.
 */
export const BUDGETS = { byHand: 3, bySelf: 30 }

/** Records that a zone is given room for which has not been read, or was small. */
const UNKNOWN_SIZE = 10_000

/**
 * Does the work in room for about as many records as the domain has, which is also as many as the work may read; again in
 * the most there is when that is too little. `budgets`: how many times what a request may spend at a provider it has for
 * that. `waitMs` as for `take`.
 */
export async function withZoneMemory<T>(
  context: { zoneMemory: ZoneMemory; providerLimits: ProviderLimits },
  domain: { owner_id: string; record_count: number },
  { budgets, waitMs }: { budgets: number; waitMs?: number | undefined },
  work: (limits: ProviderLimits) => Promise<T>,
): Promise<T> {
  const { maxZoneRecords } = context.providerLimits
  const expected = Math.min(maxZoneRecords, Math.max(2 * domain.record_count, UNKNOWN_SIZE))
  return attempt(expected).catch((error: unknown) => {
    if (expected < maxZoneRecords && isTooLarge(error)) return attempt(maxZoneRecords)
    throw error
  })

  async function attempt(records: number): Promise<T> {
    const giveBack = await context.zoneMemory.take(domain.owner_id, records, waitMs)
    try {
      const budgetMs = context.providerLimits.budgetMs * budgets
      return await work({ budgetMs, maxZoneRecords: records })
    } finally {
      giveBack()
    }
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'too_large'

const isRoom = (readings: readonly Reading[], records: number, capacity: number): boolean =>
  readings.length === 0 || readings.reduce((sum, reading) => sum + reading.records, records) <= capacity

const tooMany = () => unavailable('Too many large zones are being read; try again shortly', { seconds: 5 })
