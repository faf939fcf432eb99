import type { FailedAttempt, Head } from './delivery-queries.ts'
import type { DeliveryError } from '../senders/contract.ts'

export interface RetryPolicy {
  /** Delays between attempts in seconds, plus or minus a fifth; there is one attempt more than delays. */
  backoffSeconds: readonly number[]
  /** A message older than this gets fewer attempts of its own during an outage of the receiver. */
  maxAgeSeconds: number
}

/** Eight attempts in about a day. */
export const RETRY_POLICY: RetryPolicy = {
  backoffSeconds: [5, 300, 1_800, 7_200, 18_000, 28_800, 28_800],
  maxAgeSeconds: 24 * 3_600,
}

/**
 * Decides what follows a failed attempt, for the message and its channel.
 *
 * A message is given up after all its attempts. If the channel has failed that often in a row, messages that are a day
 * old are given up with fewer, since the attempts of earlier messages count for them; otherwise each would take
 * another day. Failures that an administrator can fix, such as a refused signature, are retried like outages.
 */
export function afterFailure(
  error: DeliveryError,
  { tries, failures, age_seconds: age }: Pick<Head, 'tries' | 'failures' | 'age_seconds'>,
  { backoffSeconds, maxAgeSeconds }: RetryPolicy,
  random: () => number = Math.random,
): Omit<FailedAttempt, 'error' | 'intervalMs'> {
  const maxTries = backoffSeconds.length + 1
  const counts = error.kind !== 'permanent'
  const isLongOutage = counts && failures + 1 >= maxTries
  const dead = error.kind !== 'transient' || tries + 1 >= maxTries || (isLongOutage && age >= maxAgeSeconds)
  const backoff = backoffSeconds[Math.min(failures, backoffSeconds.length - 1)] ?? 0
  // Without jitter, channels refused together would all retry together.
  const wait = dead ? 0 : backoff * (0.8 + 0.4 * random())
  return {
    dead,
    deadFrom: dead && isLongOutage ? maxAgeSeconds : null,
    disable: error.kind === 'gone',
    counts,
    delaySeconds: Math.max(wait, error.waitSeconds),
  }
}
