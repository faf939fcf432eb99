import fp from 'fastify-plugin'
import { levelOf } from '../http/logging.ts'

/** Work that goes on after the answer, for answers whose time must not tell what was found. */
export interface BackgroundQueue {
  /** Queues the work; a failure goes to the log. The app waits for it when it closes. */
  add(name: string, work: () => Promise<unknown>): void
}

declare module 'fastify' {
  interface FastifyInstance {
    backgroundQueue: BackgroundQueue
  }
}

/** Beyond, work is dropped and the log says so: a flood must not pile up. */
const MAX_WAITING = 500

/** One after another: this is never urgent, and the database belongs to those who wait. */
export default fp(
  async (app) => {
    let last: Promise<unknown> = Promise.resolve()
    let waiting = 0

    app.decorate('backgroundQueue', {
      add(name, work) {
        if (waiting >= MAX_WAITING) return app.log.error({ work: name }, 'too much work in the background')
        waiting++
        last = last
          .then(work)
          .catch((error: unknown) =>
            app.log[levelOf(error)]({ err: error, work: name }, 'background work failed'),
          )
          .finally(() => waiting--)
      },
    } satisfies BackgroundQueue)

    app.addHook('onClose', () => last as Promise<void>)
  },
  { name: 'background-queue' },
)
