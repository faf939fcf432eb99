import { setTimeout as sleep } from 'node:timers/promises'
import { LookupError } from './registration.ts'

/** How often each registry is asked, by one instance. */
export interface Pacing {
  /**
   * Waits for the next turn at that server. Rejects with LookupError `rate_limited` when that takes longer
   * than `maxWaitMs`, and with the signal's reason when it is aborted.
   */
  turn(server: string, maxWaitMs: number, signal?: AbortSignal): Promise<void>
  /** The server wants to be left alone for so long. */
  rest(server: string, milliseconds: number): void
}

/** Asked "one a second", most registries are content. */
export const SPACING_MS = 1_000
const MAX_REST_MS = 24 * 3600 * 1000
const REMEMBERED = 5_000

export function createPacing(spacingMs: number = SPACING_MS): Pacing {
  /** When each server may be asked next. */
  const next = new Map<string, number>()

  function forget(now: number): void {
    if (next.size < REMEMBERED) return
    for (const [server, at] of next) if (at <= now) next.delete(server)
  }

  return {
    async turn(server, maxWaitMs, signal) {
      const now = Date.now()
      const at = Math.max(next.get(server) ?? 0, now)
      if (at - now > maxWaitMs) {
        const seconds = Math.ceil((at - now) / 1000)
        throw new LookupError(
          'rate_limited',
          `${server} has been asked too often; it can be asked again in ${seconds} s`,
        )
      }
      forget(now)
      next.set(server, at + spacingMs)
      if (at > now) await sleep(at - now, undefined, signal && { signal })
    },
    rest(server, milliseconds) {
      const until = Date.now() + Math.min(milliseconds, MAX_REST_MS)
      next.set(server, Math.max(next.get(server) ?? 0, until))
    },
  }
}
