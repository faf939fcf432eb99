/** How long a change is still to be reverted after its time, while the provider is down or refuses. */
export const GIVEN_UP_SECONDS = 86_400
export const LONGEST_PAUSE_SECONDS = 600

/** Seconds until the next attempt: 15, 30, 60 … 600. */
export const pauseAfter = (tries: number): number =>
  Math.min(LONGEST_PAUSE_SECONDS, 15 * 2 ** Math.min(tries - 1, 10))
