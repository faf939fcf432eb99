import type { Failure, Head } from './outbox-queries.ts'
import type { DeliveryError } from '../senders/contract.ts'

export interface RetryPolicy {
  /** Before each further try, in seconds, give or take a fifth; there is one try more than these. */
  backoffSeconds: readonly number[]
  /** A message that is older is not worth as many tries of its own while the receiver is away. */
  maxAgeSeconds: number
}

/** Eight tries in about a day. */
export const RETRY_POLICY: RetryPolicy = {
  backoffSeconds: [5, 300, 1_800, 7_200, 18_000, 28_800, 28_800],
  maxAgeSeconds: 24 * 3_600,
}

/**
 * What becomes of a message that was not taken, and of its channel, which waits with it.
 *
 * It is given up after all its tries; and when the channel has failed that often on end, also with fewer,
 * once it is a day old: the tries of those before it were tries for it too, and so are those behind it that
 * are as old. Otherwise each of them would take a day of its own. Whatever an administrator can mend is
 * tried again, a refused signature as well as a server that is down.
 */
export function afterFailure(
  error: DeliveryError,
  { tries, failures, age_seconds: age }: Pick<Head, 'tries' | 'failures' | 'age_seconds'>,
  { backoffSeconds, maxAgeSeconds }: RetryPolicy,
  random: () => number = Math.random,
): Omit<Failure, 'error' | 'intervalMs'> {
  const maxTries = backoffSeconds.length + 1
  const counts = error.kind !== 'permanent'
  const isLongOutage = counts && failures + 1 >= maxTries
  const dead = error.kind !== 'transient' || tries + 1 >= maxTries || (isLongOutage && age >= maxAgeSeconds)
  const backoff = backoffSeconds[Math.min(failures, backoffSeconds.length - 1)] ?? 0
  // Without the jitter, those who were refused together would all come back together.
  const wait = dead ? 0 : backoff * (0.8 + 0.4 * random())
  return {
    dead,
    deadFrom: dead && isLongOutage ? maxAgeSeconds : null,
    disable: error.kind === 'gone',
    counts,
    delaySeconds: Math.max(wait, error.waitSeconds),
  }
}
