import { rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'

/* Providers that accept a change only of data that is unchanged since it was read. */

const MAX_TRIES = 5

/** Repeats an attempt, which reads and writes, while others change the data in between. */
export async function whileOutdated<T>(
  attempt: () => Promise<T>,
  isOutdated: (error: unknown) => boolean,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === MAX_TRIES || !isOutdated(error)) throw error
    }
  }
}

// Up to this number, sets are always read alone: the size of the zone may be unknown.
const MIN_ALONE = 3

/**
 * Reads the item of each key, or null. Reads them one by one if that takes fewer calls than all `pages` of the zone.
 * `keyOf`: null for items that are not in the zone.
 */
export async function readEach<T, K extends RRsetKey>(
  keys: readonly K[],
  {
    pages,
    one,
    all,
    keyOf,
  }: {
    pages: number
    one: (key: K) => Promise<T | null>
    all: () => AsyncIterable<readonly T[]>
    keyOf: (item: T) => RRsetKey | null
  },
): Promise<(T | null)[]> {
  const found = new Map<string, T>()
  if (keys.length > Math.max(MIN_ALONE, pages)) {
    for await (const page of all()) {
      for (const item of page) {
        const key = keyOf(item)
        if (key !== null) found.set(rrsetKey(key), item)
      }
    }
    return keys.map((key) => found.get(rrsetKey(key)) ?? null)
  }
  const items: (T | null)[] = []
  for (const key of keys) items.push(await one(key))
  return items
}
