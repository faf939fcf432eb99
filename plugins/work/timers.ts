import fp from 'fastify-plugin'
import { levelOf } from '../http/logging.ts'

/** Small upkeep of one instance. */
interface Timers {
  /** Runs `work` every `seconds`, never twice at once; failures go to the log and the next run comes. */
  every(seconds: number, name: string, work: () => Promise<unknown>): void
}

declare module 'fastify' {
  interface FastifyInstance {
    timers: Timers
  }
}

/** Timers that end with the app: what runs then is waited for. */
export default fp(
  async (app) => {
    const intervals: NodeJS.Timeout[] = []
    const running = new Set<Promise<unknown>>()

    app.decorate('timers', {
      every(seconds, name, work) {
        let busy = false
        const run = async () => {
          if (busy) return
          busy = true
          const current = work()
            .catch((error: unknown) => app.log[levelOf(error)]({ err: error, work: name }, 'timer failed'))
            .finally(() => {
              busy = false
              running.delete(current)
            })
          running.add(current)
          await current
        }
        intervals.push(setInterval(() => void run(), seconds * 1000).unref())
      },
    } satisfies Timers)

    app.addHook('onClose', async () => {
      for (const interval of intervals) clearInterval(interval)
      await Promise.all(running)
    })
  },
  { name: 'timers' },
)
