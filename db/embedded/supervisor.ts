import { setTimeout as sleep } from 'node:timers/promises'
import { stopServer } from './postmaster.ts'
import type { Guarded } from './processes.ts'

interface SuperviseOptions {
  /** Starts it again where it was. */
  launch: () => Promise<Guarded>
  /** Whether the disk is full, or was for the server that ended. */
  isFull: () => boolean
}

export interface Supervised {
  /** Of the postmaster that runs, or ran last. */
  readonly pid: number
  /** Ends open sessions and shuts down; resolves when postgres has ended. */
  stop(): Promise<void>
  /** Resolves when postgres has ended for good, with the reason. */
  gone: Promise<string>
}

const LOOK_MS = 1_000

/**
 * Watches a server. One that ended because its disk is full, which happens when the next piece of its log has no room, is
 * started again, tried each second; any other end is for good.
 */
export function supervise(first: Guarded, { launch, isFull }: SuperviseOptions): Supervised {
  let server = first
  const stopping = new AbortController()

  async function untilGone(): Promise<string> {
    for (;;) {
      const how = await server.exited
      const reason = `PostgreSQL ended by itself (${how}):\n${server.tail.join('\n')}`
      if (stopping.signal.aborted || !isFull()) return reason
      const next = await startWithRoom().catch((error: Error) => error)
      if (next === null) return reason
      if (next instanceof Error) return next.message
      server = next
      // Who asked for the stop found none to stop.
      if (stopping.signal.aborted) await stopServer(next)
    }
  }

  /** Null: it is to stop. Rejects when it does not start for another reason. */
  async function startWithRoom(): Promise<Guarded | null> {
    while (!stopping.signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) continue
      try {
        return await launch()
      } catch (error) {
        if (!isFull()) throw error
      }
    }
    return null
  }

  const gone = untilGone()
  return {
    get pid() {
      return server.pid as number
    },
    gone,
    async stop() {
      stopping.abort()
      await stopServer(server)
      await gone
    },
  }
}
