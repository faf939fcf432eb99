import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work before other tasks get the event loop. */
const SLICE_MS = 10

/** For asynchronous loops: each call resolves at once within the slice, and after other tasks ran otherwise. */
export function takeSlices(): () => Promise<void> | void {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE_MS) return
    await nextTurn()
    begun = performance.now()
  }
}

/**
 * Processes the items in order and lets other tasks run in between; returning false stops it. For work that grows with
 * the input, such as the records of a zone file.
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
