import { createHash } from 'node:crypto'

const DAY_MS = 86_400_000
/** The checks of a night are spread from 0:00 to 6:00 UTC. */
const NIGHT_MS = 6 * 3_600_000
/** Sooner, a domain is not checked again. */
const REST_MS = 6 * 3_600_000

/** Longest time between two checks, in seconds. */
export const LONGEST_SECONDS = (DAY_MS + REST_MS) / 1000

/** When a domain is checked next: at its own time of the night, the same every night. */
export function nextNight(domainId: string, now: Date): Date {
  const place = createHash('sha256').update(domainId).digest().readUInt32BE() / 2 ** 32
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + Math.floor(place * NIGHT_MS)
  const next = [0, 1, 2].map((days) => today + days * DAY_MS).find((at) => at >= now.getTime() + REST_MS)
  return new Date(next ?? today + 2 * DAY_MS)
}
