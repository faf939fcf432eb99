import { setTimeout as sleep } from 'node:timers/promises'
import { stopServer } from './postmaster.ts'
import type { Guarded } from './processes.ts'

interface SuperviseOptions {
  /** Starts it again in the same place. */
  launch: () => Promise<Guarded>
  /** Whether the disk is full, or was for the server that ended. */
  isFull: () => boolean
}

export interface Supervised {
  /** Pid of the postmaster that is running, or ran last. */
  readonly pid: number
  /** Ends open sessions and shuts down; resolves when postgres has ended. */
  stop(): Promise<void>
  /** Resolves with the reason when postgres has ended for good. */
  gone: Promise<string>
}

const LOOK_MS = 1_000

/**
 * Supervises a server. One that ended because its disk is full (no room for the next WAL segment) is
 * restarted, with an attempt every second; any other exit is final.
 */
export function supervise(first: Guarded, { launch, isFull }: SuperviseOptions): Supervised {
  let server = first
  const stopping = new AbortController()

  async function untilGone(): Promise<string> {
    for (;;) {
      const how = await server.exited
      const reason = `PostgreSQL ended unexpectedly (${how}):\n${server.tail.join('\n')}`
      if (stopping.signal.aborted || !isFull()) return reason
      const next = await startWithRoom().catch((error: Error) => error)
      if (next === null) return reason
      if (next instanceof Error) return next.message
      server = next
      // The caller of `stop` found no server to stop.
      if (stopping.signal.aborted) await stopServer(next)
    }
  }

  /** Null if it is being stopped. Rejects if it fails to start for another reason. */
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
