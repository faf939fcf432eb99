/**
 * Changes that wait for names of a domain. When another change ends, they try again one after another, in the order they
 * came. Only a hint within this process: the locks are in the database, and a change that waits for another instance tries
 * again after a while.
 */
export class WaitingChanges {
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when it is this caller's turn, or after `ms`. */
  async wait(domainId: string, ms: number): Promise<void> {
    const queue = this.#waiting.get(domainId) ?? []
    this.#waiting.set(domainId, queue)
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        const position = queue.indexOf(done)
        if (position >= 0) queue.splice(position, 1)
        if (queue.length === 0) this.#waiting.delete(domainId)
        resolve()
      }
      const timer = setTimeout(done, ms)
      queue.push(done)
    })
  }

  /** Lets the next one try. */
  wake(domainId: string): void {
    this.#waiting.get(domainId)?.[0]?.()
  }
}
