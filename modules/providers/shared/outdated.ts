import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'

/* What providers have in common that take a change only of what is still as it was read. */

const MAX_TRIES = 5

/** Makes the attempt, which reads and writes, anew as long as what it read is no longer so when it writes. */
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

// So many are read alone in any case: how large a zone is may not be known.
const MIN_ALONE = 3

/**
 * What is there of each of these, or null: read one by one where that takes fewer calls than the `pages` of the zone.
 * `keyOf`: null for what is none of its sets.
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
