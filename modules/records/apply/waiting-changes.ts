/**
 * Lets those who wait for a domain's names try again when a change of it was settled: one after another,
 * in the order they came. Only a hint within this process; the locks are in the database, and who waits
 * for another instance tries again after a while.
 */
export class Sequence {
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when it is our turn, or after `ms`. */
  async wait(key: string, ms: number): Promise<void> {
    const queue = this.#waiting.get(key) ?? []
    this.#waiting.set(key, queue)
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        const place = queue.indexOf(done)
        if (place >= 0) queue.splice(place, 1)
        if (queue.length === 0) this.#waiting.delete(key)
        resolve()
      }
      const timer = setTimeout(done, ms)
      queue.push(done)
    })
  }

  next(key: string): void {
    this.#waiting.get(key)?.[0]?.()
  }
}
