import { OutboundError } from '../../../plugins/outbound/http.ts'
import { ProviderError } from '../contract.ts'

const BACKOFF_MS = 250
const MAX_DOUBLINGS = 2

/**
 * Milliseconds to wait before another try, after so many; null when there is no point in one, or it may do the same
 * twice. What is `locked` is left to who can wait for its turn.
 */
export function pauseBefore(error: unknown, tries: number, maxTries: number): number | null {
  if (!(error instanceof ProviderError) || error.outcome !== 'not_applied' || tries >= maxTries) return null
  if (error.kind === 'rate_limited') return (error.retryAfter ?? 1) * 1000
  if (error.kind !== 'unavailable' || isLasting(error.cause)) return null
  return error.retryAfter === undefined ? backoff(tries) : error.retryAfter * 1000
}

/** With jitter, so that those who failed together don't come back together. */
export const backoff = (tries: number) =>
  BACKOFF_MS * 2 ** Math.min(tries - 1, MAX_DOUBLINGS) * (0.5 + Math.random())

/** An address that may not be called: another try ends the same. */
const isLasting = (cause: unknown): boolean => cause instanceof OutboundError && cause.kind === 'blocked'
