import { queryClient } from './query-client.ts'

/** Time of the oldest visible data, in milliseconds; null if nothing is shown. */
export function shownSince(): number | null {
  const shown = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    // Static data doesn't age.
    .filter(({ options, state }) => !isForEver(options) && state.dataUpdatedAt > 0)
  // The bell is on every page; it counts only if nothing else does.
  const own = shown.filter(({ queryKey }) => queryKey[0] !== 'notifications')
  const times = (own.length > 0 ? own : shown).map(({ state }) => state.dataUpdatedAt)
  return times.length === 0 ? null : Math.min(...times)
}

const isForEver = (options: object) => 'staleTime' in options && options.staleTime === Infinity

/** Calls the listener when `shownSince` may have changed. */
export const followShown = (listener: () => void): (() => void) =>
  queryClient.getQueryCache().subscribe(listener)
