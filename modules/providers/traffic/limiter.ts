import type { Clock, Limiter, RateReport } from '../context.ts'
import { ProviderError, type Rate } from '../contract.ts'

/** Until when the account is paused (milliseconds since 1970), on all instances. */
export interface Pauses {
  until(): number
  /** For this many milliseconds from now. */
  set(milliseconds: number): void
}

/** Share of a rate that can be used in a burst; with the refill in the meantime, all of it. */
const AT_ONCE = 0.25

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
  const buckets = rates.map((rate) => new Bucket(rate, clock.now()))
  let told: { remaining: number; resetsAt: number } | null = null

  /** Milliseconds; a slot is taken in any case. */
  function take(of: 'read' | 'write', now: number): { wait: number; giveBack: () => void } {
    const taken = buckets.filter((bucket) => bucket.counts(of))
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
    async turn(of, context) {
      const { wait, giveBack } = take(of, clock.now())
      let next = clock.now() + wait
      try {
        // A pause can start or grow while waiting.
        for (;;) {
          const now = clock.now()
          next = Math.max(next, pauses.until())
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
    pause(milliseconds) {
      pauses.set(milliseconds)
      for (const bucket of buckets) bucket.empty(clock.now() + milliseconds)
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
