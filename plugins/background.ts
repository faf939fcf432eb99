import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    background: Background
  }
}

/**
 * Goes on with work after the answer, for answers whose time must not tell what was found. A failure goes
 * to the log. The app waits for the work when it closes.
 */
export type Background = (name: string, work: () => Promise<unknown>) => void

/** Beyond, work is dropped and the log says so: a flood must not pile up. */
const MAX_WAITING = 500

/** One after another: this is never urgent, and the database belongs to those who wait. */
export default fp(
  async (app) => {
    let last: Promise<unknown> = Promise.resolve()
    let waiting = 0

    app.decorate('background', (name, work) => {
      if (waiting >= MAX_WAITING) return app.log.error({ work: name }, 'too much work in the background')
      waiting++
      last = last
        .then(work)
        .catch((error: unknown) => app.log.error({ err: error, work: name }, 'background work failed'))
        .finally(() => waiting--)
    })

    app.addHook('onClose', () => last as Promise<void>)
  },
  { name: 'background' },
)
