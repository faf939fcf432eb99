import { OutboundError } from '../../../plugins/outbound/http.ts'
import { ProviderError } from '../contract.ts'

const BACKOFF_MS = 250
const MAX_DOUBLINGS = 2

/**
 * Returns the milliseconds before retry number `n`, or null if retrying is pointless or could repeat an
 * effect. `locked` failures are left to callers that can wait for the write lock.
 */
export function pauseBefore(error: unknown, tries: number, maxTries: number): number | null {
  if (!(error instanceof ProviderError) || error.outcome !== 'not_applied' || tries >= maxTries) return null
  if (error.kind === 'rate_limited') return (error.retryAfter ?? 1) * 1000
  if (error.kind !== 'unavailable' || isLasting(error.cause)) return null
  return error.retryAfter === undefined ? backoff(tries) : error.retryAfter * 1000
}

/** With jitter, so that clients that failed together don't retry together. */
export const backoff = (tries: number) =>
  BACKOFF_MS * 2 ** Math.min(tries - 1, MAX_DOUBLINGS) * (0.5 + Math.random())

/** An address that is not allowed: a retry fails too. */
const isLasting = (cause: unknown): boolean => cause instanceof OutboundError && cause.kind === 'blocked'
