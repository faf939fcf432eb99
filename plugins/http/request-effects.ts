import fp from 'fastify-plugin'
import { notingEffects, type Effects } from '../../db/connection/effects.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its handler may have changed so far; null: it has not begun. */
    effects: Effects | null
  }
}

/** Notes what each request may have changed, so that the answer to a failure can say it. */
export default fp(
  async (app) => {
    app.decorateRequest('effects', null)
    // After the body was read: what runs in between would lose it.
    app.addHook('preHandler', (request, _reply, done) => {
      const effects: Effects = { mayHaveWritten: false, change: null }
      request.effects = effects
      notingEffects(effects, done)
    })
  },
  { name: 'request-effects' },
)
