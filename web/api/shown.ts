import { queryClient } from './query-client.ts'

/** Of which moment the oldest of what is shown now is, in milliseconds; null while nothing is shown. */
export function shownSince(): number | null {
  const shown = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    // What never changes is never old.
    .filter(({ options, state }) => !isForEver(options) && state.dataUpdatedAt > 0)
  // The bell is on every page, and counts where there is nothing else.
  const own = shown.filter(({ queryKey }) => queryKey[0] !== 'notifications')
  const times = (own.length > 0 ? own : shown).map(({ state }) => state.dataUpdatedAt)
  return times.length === 0 ? null : Math.min(...times)
}

const isForEver = (options: object) => 'staleTime' in options && options.staleTime === Infinity

/** To be told when `shownSince` may have changed. */
export const followShown = (listener: () => void): (() => void) =>
  queryClient.getQueryCache().subscribe(listener)
