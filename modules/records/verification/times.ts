/** How long a change may take to be on all name servers. */
export const VERIFY_SECONDS = 600
const MAX_PAUSE_SECONDS = 60
/** Rounds without any answer after which the name servers count as unreachable, unless verification is required. */
const UNREACHED_ROUNDS = 6

/** Seconds until the next round: 1, 2, 4 … 60. */
export const pauseAfter = (rounds: number): number => Math.min(MAX_PAUSE_SECONDS, 2 ** (rounds - 1))

export const LONGEST_PAUSE_SECONDS = MAX_PAUSE_SECONDS

/** Whether asking again is pointless: this installation can't reach name servers. */
export const isGivenUp = ({ rounds, reached }: { rounds: number; reached: boolean }, isRequired: boolean) =>
  !reached && !isRequired && rounds >= UNREACHED_ROUNDS
