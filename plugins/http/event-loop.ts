import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work in one go, beyond which whoever else waits for the event loop gets their turn. */
const SLICE_MS = 10

/**
 * For loops that wait for something already: each call resolves at once while the slice lasts, and else after the
 * others had their turn.
 */
export function takeSlices(): () => Promise<void> | void {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE_MS) return
    await nextTurn()
    begun = performance.now()
  }
}

/**
 * Does the work for each item in their order, and lets others have the event loop in between; `false` ends it.
 * For what grows with what people send: records of a file, of a plan, of a zone.
 */
export async function inSlices<T>(items: Iterable<T>, work: (item: T) => void | boolean): Promise<void> {
  let begun = performance.now()
  for (const item of items) {
    if (work(item) === false) return
    if (performance.now() - begun < SLICE_MS) continue
    await nextTurn()
    begun = performance.now()
  }
}
