import { queryClient } from '../query-client.ts'

/** Queries of the frame around every page. */
const FRAME = new Set<unknown>(['notifications', 'waiting'])

/** Time of the oldest visible data, in milliseconds; null if nothing is shown. */
export function shownSince(): number | null {
  const shown = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    // Static data doesn't age.
    .filter(({ options, state }) => !isForEver(options) && state.dataUpdatedAt > 0)
  // The frame counts only if nothing else does.
  const own = shown.filter(({ queryKey }) => !FRAME.has(queryKey[0]))
  const times = (own.length > 0 ? own : shown).map(({ state }) => state.dataUpdatedAt)
  return times.length === 0 ? null : Math.min(...times)
}

const isForEver = (options: object) => 'staleTime' in options && options.staleTime === Infinity

/** Calls the listener when `shownSince` may have changed. */
export const followShown = (listener: () => void): (() => void) =>
  queryClient.getQueryCache().subscribe(listener)
