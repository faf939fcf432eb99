/**
 * Does the work for each item, at most `width` at the same time, begun in order. All work that has begun is awaited before
 * this rejects with the first failure; after a failure, nothing more begins.
 */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const failures: unknown[] = []
  async function workThrough(): Promise<void> {
    for (const item of left) {
      if (failures.length > 0) return
      await work(item).catch((failure: unknown) => failures.push(failure))
    }
  }
  await Promise.all(Array.from({ length: width }, workThrough))
  if (failures.length > 0) throw failures[0]
}

/**
 * Groups that can be written at the same time: those of the same owner name keep their order, because a CNAME has to go
 * before other types come. One group if an edit decides what other names may hold: NS and DNAME (RFC 1034 section 4.2.1, RFC
 * 6672 section 2.4).
 */
export function independentGroups<T>(items: readonly T[], editsOf: (item: T) => readonly Owner[]): T[][] {
  if (items.some((item) => editsOf(item).some(({ type }) => type === 'NS' || type === 'DNAME')))
    return [[...items]]
  return [...Map.groupBy(items, (item) => editsOf(item)[0]?.name).values()]
}

interface Owner {
  name: string
  type: string
}
