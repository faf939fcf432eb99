import type { FastifyInstance } from 'fastify'
import { levelOf } from '../http/logging.ts'

export interface Timers {
  /** Runs `work` on this instance every `seconds`, one run at a time; a failure is logged and the next run follows. */
  everyInstance(seconds: number, name: string, work: () => Promise<unknown>): void
}

/** Timers that stop with the app, which waits for the runs in progress. */
export function createTimers(app: FastifyInstance): Timers {
  const intervals: NodeJS.Timeout[] = []
  const running = new Set<Promise<unknown>>()

  app.addHook('onClose', async () => {
    for (const interval of intervals) clearInterval(interval)
    await Promise.all(running)
  })

  return {
    everyInstance(seconds, name, work) {
      let current: Promise<unknown> | null = null
      const run = () => {
        if (current) return
        const started = work()
          .catch((error: unknown) => app.log[levelOf(error)]({ err: error, work: name }, 'timer failed'))
          .finally(() => {
            current = null
            running.delete(started)
          })
        current = started
        running.add(started)
      }
      intervals.push(setInterval(run, seconds * 1000).unref())
    },
  }
}
