import { OutboundError } from '../../../plugins/outbound/http.ts'
import type { AdapterContext } from '../context.ts'
import { ProviderError } from '../contract.ts'

const BACKOFF_MS = 250
const MAX_DOUBLINGS = 2

/**
 * Runs one request to a provider, and retries it after a transient failure without effect: after the provider's
 * Retry-After, or with backoff and jitter, within the deadline. Nothing around it retries, so that a call of
 * several requests does not start over because of its last one. `request` gets the number of the attempt.
 */
export async function retried<T>(
  { clock, deadline, maxTries, waiting }: AdapterContext,
  request: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await request(tries)
    } catch (error) {
      const pause = tries < maxTries ? pauseAfter(error, tries) : null
      if (pause === null || clock.now() + pause >= deadline) throw error
      await clock.sleep(pause, waiting).catch(() => {
        throw error
      })
    }
  }
}

/** Returns the milliseconds before the next attempt, or null if retrying is pointless or could repeat an effect. */
function pauseAfter(error: unknown, tries: number): number | null {
  if (!(error instanceof ProviderError) || error.outcome !== 'not_applied') return null
  if (error.kind === 'rate_limited') return (error.retryAfter ?? 1) * 1000
  if (error.kind !== 'unavailable' || isLasting(error.cause)) return null
  return error.retryAfter === undefined ? backoff(tries) : error.retryAfter * 1000
}

/** With jitter, so that clients that failed together don't retry together. */
export const backoff = (tries: number) =>
  BACKOFF_MS * 2 ** Math.min(tries - 1, MAX_DOUBLINGS) * (0.5 + Math.random())

/** An address that is not allowed: a retry fails too. */
const isLasting = (cause: unknown): boolean => cause instanceof OutboundError && cause.kind === 'blocked'
