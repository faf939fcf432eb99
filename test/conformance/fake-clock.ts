import type { Clock } from '../../modules/providers/context.ts'

/** A clock on which time passes by waiting alone: nobody waits really, and `waits` says for how long it would be. */
export function fakeClock(): Clock & { waits: number[]; pass(milliseconds: number): void } {
  let now = Date.UTC(2026, 0, 1)
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    pass: (milliseconds) => void (now += milliseconds),
    async sleep(milliseconds, signal) {
      signal.throwIfAborted()
      waits.push(milliseconds)
      now += milliseconds
    },
  }
}
