import type { Clock, Limiter, RateReport } from '../context.ts'
import { ProviderError, type Rate } from '../contract.ts'

/** Until when the account is left alone (milliseconds since 1970), for all instances. */
export interface Pauses {
  until(): number
  /** For so many milliseconds from now. */
  set(milliseconds: number): void
}

/** Of the calls of a rate so many may be made at once: with what comes back meanwhile they are all of them. */
const AT_ONCE = 0.25

/** The limiter of one instance, which hears of the calls that others make of the same account. */
export interface SharedLimiter extends Limiter {
  /** Others have made so many calls: they count as the own ones do. */
  countOthers(of: 'read' | 'write', calls: number): void
}

/**
 * The rates that the provider is known for, corrected by what its answers say, and stopped by its refusals. `made` is
 * told of each call.
 */
export function createLimiter(
  rates: readonly Rate[],
  pauses: Pauses,
  clock: Clock,
  made: (of: 'read' | 'write') => void = () => undefined,
): SharedLimiter {
  const buckets = rates.map((rate) => new Bucket(rate, clock.now()))
  let told: { remaining: number; resetsAt: number } | null = null

  /** Milliseconds; a place is taken in any case. */
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
        // A pause may begin, or grow, while one waits.
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
      // Of answers that come out of order the one that leaves least counts.
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

/** Resets that are told in whole seconds are of one window although they differ by so much. */
const SAME_WINDOW_MS = 1_500

async function waitFor(milliseconds: number, { clock, waiting }: Parameters<Limiter['turn']>[1]) {
  try {
    await clock.sleep(milliseconds, waiting)
  } catch (cause) {
    throw new ProviderError('timeout', 'The time was over before the DNS host could be called', { cause })
  }
}

const notInTime = (milliseconds: number) => {
  const retryAfter = Math.ceil(milliseconds / 1000)
  return new ProviderError(
    'rate_limited',
    `The DNS host takes no more calls of this account for now; it can be called again in ${retryAfter} s`,
    { retryAfter, repeated: true },
  )
}

/** A token bucket. Who takes more than there is has a place in line, and waits for it. */
class Bucket {
  readonly #of: Rate['of']
  readonly #size: number
  /** Tokens a millisecond. */
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

  /** Milliseconds to wait for what was taken. */
  take(now: number, calls = 1): number {
    this.#tokens = Math.min(this.#size, this.#tokens + Math.max(0, now - this.#at) * this.#flow)
    this.#at = Math.max(this.#at, now)
    this.#tokens -= calls
    return this.#tokens >= 0 ? 0 : this.#at - now - this.#tokens / this.#flow
  }

  giveBack(): void {
    this.#tokens++
  }

  /** It begins to fill at that moment. */
  empty(until: number): void {
    this.#tokens = Math.min(this.#tokens, 0)
    this.#at = Math.max(this.#at, until)
  }
}
