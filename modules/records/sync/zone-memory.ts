import { unavailable } from '../../../plugins/http/errors.ts'
import { serviceStopping } from '../../../plugins/http/graceful-shutdown.ts'
import { ProviderError } from '../../providers/contract.ts'
import type { ProviderLimits } from '../../providers/traffic/limits.ts'

/** Limits the records of zones that this process holds in memory while they are read and compared. */
export interface ZoneMemory {
  /**
   * Reserves memory for records of a zone of this owner, and returns the function that releases it. Rejects with 503 after
   * `waitMs` (unlimited by default) and when the service stops.
   */
  reserve(ownerId: string, records: number, waitMs?: number): Promise<() => void>
}

interface Reading {
  ownerId: string
  records: number
}

/**
 * Creates memory for `capacity` records, at most half of it for one owner, whose zones and slow providers must not block
 * others. A zone of any size fits when nothing else is reserved.
 */
export function createZoneMemory(capacity: number, stop?: AbortSignal): ZoneMemory {
  const under = new Set<Reading>()
  /** In order of arrival, with the function that starts each. */
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
      // Smaller zones, and those of other owners, may overtake.
      for (const [next, start] of waiting) if (fits(next)) start()
    }
  }

  return {
    async reserve(ownerId, records, waitMs) {
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

/** How many times the provider budget of a request reading a zone may take: for a request, and in the background. */
export const READ_BUDGETS = { request: 3, background: 30 }

/** Records reserved at least, since a zone may have grown. */
const UNKNOWN_SIZE = 10_000

/**
 * Runs work with memory for about as many records as the domain has, and with matching limits. If that is
 * too little, runs it again with the maximum. `budgets`: how many times the provider budget of a request it gets. `waitMs`:
 * as for `reserve`.
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
    const release = await context.zoneMemory.reserve(domain.owner_id, records, waitMs)
    try {
      const budgetMs = context.providerLimits.budgetMs * budgets
      return await work({ budgetMs, maxZoneRecords: records })
    } finally {
      release()
    }
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'too_large'

const isRoom = (readings: readonly Reading[], records: number, capacity: number): boolean =>
  readings.length === 0 || readings.reduce((sum, reading) => sum + reading.records, records) <= capacity

const tooMany = () =>
  unavailable('Too many large zones are being read; try again in a few seconds', { seconds: 5 })
