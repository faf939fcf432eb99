import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { bookkeeping } from '../../../db/connection/effects.ts'
import { v5 as uuidv5 } from 'uuid'
import { levelOf } from '../../../plugins/http/logging.ts'
import { ProviderError } from '../contract.ts'
import { ServiceStopping } from '../errors.ts'
import { SERIALIZED_MINUTES, noteSerialized } from './queries.ts'

declare module 'fastify' {
  interface FastifyInstance {
    writeLock: WriteLock
  }
}

/** The write lock: changes at a server that accepts one at a time are serialized over all instances. */
export interface WriteLock {
  /**
   * Runs the work while holding the lock. Rejects with ProviderError `locked` if it isn't acquired by the
   * deadline (milliseconds since 1970), and with ServiceStopping.
   */
  take<T>(place: string, until: number, work: () => Promise<T>): Promise<T>
  /** Remembers for a while that changes of this connection must be serialized. */
  learn(configId: string): Promise<void>
}

/** The waiters for one lock on this instance. */
interface Line {
  /** Settles when the last waiter is done; never rejects. */
  last: Promise<void>
  /** Including the holder. */
  length: number
  /** Since when this instance has held the lock (milliseconds since 1970); null: it doesn't. */
  heldSince: number | null
  /** It released the lock although others wait here, so that other instances get it first. */
  gaveWay: boolean
}

/** How long an instance keeps the lock before yielding to others. */
const SLICE_MS = 1_000
const POLL_MS = 50
/** Longer than the polling interval of other instances. */
const WAY_MS = 2 * POLL_MS

const NAMESPACE = '0192f0a0-0000-7000-8000-00000000c4a9'

export default fp(
  async (app) => {
    // Not the transaction in which the connection may have been opened.
    const { db, leases, stopping } = app
    const lines = new Map<string, Line>()

    app.dueTimes.bound({
      table: 'provider_configs',
      column: 'in_turn_until',
      longest: SERIALIZED_MINUTES * 60,
    })
    app.decorate('writeLock', {
      async take(place, until, work) {
        const subject = uuidv5(place, NAMESPACE)
        const line = lines.get(subject) ?? newLine()
        lines.set(subject, line)
        const before = line.last
        const { promise: done, resolve: leave } = Promise.withResolvers<void>()
        line.last = before.then(() => done)
        line.length++
        try {
          await within(before, until, stopping.begun)
          await hold(line, subject, until)
          try {
            return await work()
          } finally {
            await handOn(line, subject)
          }
        } finally {
          if (--line.length === 0) lines.delete(subject)
          leave()
        }
      },
      async learn(configId) {
        await bookkeeping(() => noteSerialized(db, configId)).catch((error: unknown) =>
          app.log[levelOf(error)](
            { err: error, providerConfigId: configId },
            'write lock requirement not stored',
          ),
        )
      },
    } satisfies WriteLock)

    /** The first waiter waits for the other instances and acquires the lock for all behind it. */
    async function hold(line: Line, subject: string, until: number): Promise<void> {
      if (line.heldSince !== null) return
      if (line.gaveWay) await sleep(WAY_MS)
      for (;;) {
        if (stopping.begun.aborted) throw new ServiceStopping()
        if (await leases.take('change', subject)) break
        if (Date.now() >= until) throw stillBusy()
        await sleep(POLL_MS * (0.5 + Math.random()))
      }
      line.heldSince = Date.now()
    }

    async function handOn(line: Line, subject: string): Promise<void> {
      const isLast = line.length === 1
      if (!isLast && line.heldSince !== null && Date.now() - line.heldSince < SLICE_MS) return
      line.heldSince = null
      line.gaveWay = !isLast
      await leases.end('change', subject)
    }
  },
  { name: 'write-lock', dependencies: ['db', 'work', 'graceful-shutdown'] },
)

const newLine = (): Line => ({ last: Promise.resolve(), length: 0, heldSince: null, gaveWay: false })

/** Rejects if the promise takes longer, or the service stops. */
async function within(before: Promise<void>, until: number, stop: AbortSignal): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(stillBusy()), Math.max(0, until - Date.now()))
  const end = () => reject(new ServiceStopping())
  stop.addEventListener('abort', end)
  await Promise.race([before, late]).finally(() => {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
  })
}

const stillBusy = () =>
  new ProviderError('locked', 'The DNS provider accepts one change at a time and is busy; nothing was sent')
