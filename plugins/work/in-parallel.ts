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
