import { setTimeout as sleep } from 'node:timers/promises'

/** At most 20 queries a second to each server. */
const SPACING_MS = 50
/** Queries in flight, each with a socket of its own. */
const MAX_CONCURRENT = 50
/** Servers whose last query is remembered before past ones are dropped. */
const MAX_REMEMBERED = 1_000

/** Spaces the queries of this instance to each server, and bounds those in flight. */
export class Pace {
  readonly #nextAt = new Map<string, number>()
  readonly #waiting: (() => void)[] = []
  #inFlight = 0

  /** Runs one query when it is its server's turn. Rejects with the signal's reason if that comes first. */
  async run<T>(server: string, signal: AbortSignal, query: () => Promise<T>): Promise<T> {
    await this.#spaced(server, signal)
    await this.#enter()
    try {
      signal.throwIfAborted()
      return await query()
    } finally {
      this.#leave()
    }
  }

  async #spaced(server: string, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    if (this.#nextAt.size > MAX_REMEMBERED) this.#forget(now)
    const at = Math.max(now, this.#nextAt.get(server) ?? 0)
    this.#nextAt.set(server, at + SPACING_MS)
    if (at > now) await sleep(at - now, undefined, { signal })
  }

  #forget(now: number): void {
    for (const [server, at] of this.#nextAt) if (at <= now) this.#nextAt.delete(server)
  }

  async #enter(): Promise<void> {
    if (this.#inFlight < MAX_CONCURRENT) this.#inFlight++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Hands the place on to the longest waiting query. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#inFlight--
    else next()
  }
}
