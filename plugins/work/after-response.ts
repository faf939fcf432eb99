import type { FastifyInstance } from 'fastify'
import { levelOf } from '../http/logging.ts'

export interface AfterResponse {
  /**
   * Does the work after the response, for responses whose time must not reveal what was found. In memory: a crash loses
   * it. A failure is logged. The app waits for it when it closes.
   */
  afterResponse(name: string, work: () => Promise<unknown>): void
}

/** Work beyond this is dropped and logged: a flood must not pile up. */
const MAX_WAITING = 500

/** One after another: none of it is urgent, and requests need the database. */
export function createAfterResponse(app: FastifyInstance): AfterResponse {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  app.addHook('onClose', () => last as Promise<void>)

  return {
    afterResponse(name, work) {
      if (waiting >= MAX_WAITING) return app.log.error({ work: name }, 'work after responses dropped')
      waiting++
      last = last
        .then(work)
        .catch((error: unknown) =>
          app.log[levelOf(error)]({ err: error, work: name }, 'work after a response failed'),
        )
        .finally(() => waiting--)
    },
  }
}
