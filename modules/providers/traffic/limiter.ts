import { LRUCache } from 'lru-cache'
import type { Clock, Limiter, RateReport } from '../context.ts'
import { ProviderError, type Rate } from '../contract.ts'

/** Until when calls of the account are paused, on all instances. `calls` names which. */
export interface Pauses {
  /** Milliseconds since 1970. */
  until(calls: string): number
  /** For this many milliseconds from now. */
  set(calls: string, milliseconds: number): void
}

/** Calls of an account, where the provider has one limit for all of them. */
const ALL = 'all'

/** Share of a rate that can be used in a burst; with the refill in the meantime, all of it. */
const AT_ONCE = 0.25

/** Zones of an account whose calls are counted at the same time. */
const MAX_ZONES = 1_000

/** The rate limiter of one instance, which also counts reported calls of the same account on others. */
export interface SharedLimiter extends Limiter {
  /** Counts calls of other instances. */
  countOthers(of: 'read' | 'write', calls: number): void
}

/**
 * Applies the provider's known rates, corrected by its answers and stopped by its refusals. `made` is called
 * for each call.
 */
export function createLimiter(
  rates: readonly Rate[],
  pauses: Pauses,
  clock: Clock,
  made: (of: 'read' | 'write') => void = () => undefined,
): SharedLimiter {
  const bucketsOf = (each: Rate['each']) =>
    rates.filter((rate) => rate.each === each).map((rate) => new Bucket(rate, clock.now()))
  const buckets = bucketsOf(undefined)
  const zones = new LRUCache<string, Bucket[]>({ max: MAX_ZONES, memoMethod: () => bucketsOf('zone') })
  const isApart = rates.some((rate) => rate.of !== undefined)
  let told: { remaining: number; resetsAt: number } | null = null

  /** The calls that a limit covers. */
  const covered = (of: 'read' | 'write', zone?: string) =>
    zone !== undefined ? `${of} ${zone}` : isApart ? of : ALL

  /** Milliseconds; a slot is taken in any case. */
  function take(of: 'read' | 'write', now: number, zone?: string): { wait: number; giveBack: () => void } {
    const ofZone = zone === undefined ? [] : zones.memo(zone)
    const taken = [...buckets, ...ofZone].filter((bucket) => bucket.counts(of))
    const waits = taken.map((bucket) => bucket.take(now))
    if (told !== null && now >= told.resetsAt) told = null
    const window = told
    if (window !== null) window.remaining--
    return {
      wait: Math.max(0, ...waits, window !== null && window.remaining < 0 ? window.resetsAt - now : 0),
      giveBack: () => {
        for (const bucket of taken) bucket.giveBack()
        if (window !== null) window.remaining++
      },
    }
  }

  return {
    async turn(of, context, zone) {
      const { wait, giveBack } = take(of, clock.now(), zone)
      const pausedBy = new Set([covered(of), covered(of, zone)])
      let next = clock.now() + wait
      try {
        // A pause can start or grow while waiting.
        for (;;) {
          const now = clock.now()
          next = Math.max(next, ...[...pausedBy].map((calls) => pauses.until(calls)))
          if (next <= now) return made(of)
          if (next >= context.deadline) throw notInTime(next - now)
          await waitFor(next - now, context)
        }
      } catch (error) {
        giveBack()
        throw error
      }
    },
    countOthers(of, calls) {
      for (const bucket of buckets) if (bucket.counts(of)) bucket.take(clock.now(), calls)
    },
    note({ remaining, resetMs }: RateReport) {
      const resetsAt = clock.now() + resetMs
      // If answers arrive out of order, the lowest remaining number counts.
      const isSame = told !== null && Math.abs(told.resetsAt - resetsAt) < SAME_WINDOW_MS
      told = {
        remaining: isSame && told !== null ? Math.min(told.remaining, remaining) : remaining,
        resetsAt,
      }
    },
    pause(milliseconds, of, zone) {
      pauses.set(covered(of, zone), milliseconds)
      const paused =
        zone === undefined ? buckets.filter((bucket) => !isApart || bucket.counts(of)) : zones.memo(zone)
      for (const bucket of paused) bucket.empty(clock.now() + milliseconds)
    },
  }
}

/** Reset times in whole seconds within this difference belong to the same window. */
const SAME_WINDOW_MS = 1_500

async function waitFor(milliseconds: number, { clock, waiting }: Parameters<Limiter['turn']>[1]) {
  try {
    await clock.sleep(milliseconds, waiting)
  } catch (cause) {
    throw new ProviderError('timeout', 'The time budget ended before the DNS provider could be called', {
      cause,
    })
  }
}

const notInTime = (milliseconds: number) => {
  const retryAfter = Math.ceil(milliseconds / 1000)
  return new ProviderError(
    'rate_limited',
    `Rate limit reached for this provider connection; retry in ${retryAfter} s`,
    { retryAfter },
  )
}

/** A token bucket. Callers above the rate are queued and wait. */
class Bucket {
  readonly #of: Rate['of']
  readonly #size: number
  /** Tokens per millisecond. */
  readonly #flow: number
  #tokens: number
  #at: number

  constructor({ calls, seconds, of }: Rate, now: number) {
    this.#of = of
    this.#size = Math.max(1, Math.floor(calls * AT_ONCE))
    this.#flow = Math.max(1, calls - this.#size) / (seconds * 1000)
    this.#tokens = this.#size
    this.#at = now
  }

  counts(of: 'read' | 'write'): boolean {
    return this.#of === undefined || this.#of === of
  }

  /** Returns the milliseconds to wait for a token. */
  take(now: number, calls = 1): number {
    this.#tokens = Math.min(this.#size, this.#tokens + Math.max(0, now - this.#at) * this.#flow)
    this.#at = Math.max(this.#at, now)
    this.#tokens -= calls
    return this.#tokens >= 0 ? 0 : this.#at - now - this.#tokens / this.#flow
  }

  giveBack(): void {
    this.#tokens++
  }

  /** Starts to fill at that time. */
  empty(until: number): void {
    this.#tokens = Math.min(this.#tokens, 0)
    this.#at = Math.max(this.#at, until)
  }
}
