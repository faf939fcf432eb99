import type { RouteHandlerMethod } from 'fastify'
import fp from 'fastify-plugin'
import { AppError, unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads much: of one user only so many of these are under way at once. */
    dear?: boolean
  }
}

/** Dear reads of one user at once: less than half of the connections to the database. */
const AT_ONCE = 4
/** So many more may wait for their turn, */
const MAX_WAITING = 100
/** and so long, in milliseconds. */
const WAIT_MS = 3_000

interface Share {
  underWay: number
  /** In the order in which they came; each call begins one. */
  waiting: Set<() => void>
}

const tooMany = () =>
  new AppError(429, 'rate_limited', 'Too many of your requests are under way; try again shortly', {
    headers: { 'retry-after': String(WAIT_MS / 1000) },
  })

// As of any answer that takes too long: it may be the database that stands still.
const tooSlow = () =>
  unavailable('Your other requests take long; try again shortly', { seconds: WAIT_MS / 1000 })

/**
 * Dear reads of one user wait for each other, so that those of others don't wait for them; who waits too long is
 * asked to come back (503), and so are more than can wait (429). Each instance counts for itself, as each has
 * connections to the database of its own.
 */
export default fp(
  async (app) => {
    const shares = new Map<string, Share>()
    const wrapped = new WeakSet<RouteHandlerMethod>()

    app.addHook('onRoute', (route) => {
      // A GET and its HEAD have one handler.
      if (route.config?.dear !== true || wrapped.has(route.handler)) return
      const { handler } = route
      // Around the handler, not until the answer is over: the database works on when the client has hung up.
      route.handler = async function (request, reply) {
        const { userId } = request.principal
        await takeTurn(userId)
        try {
          return await handler.call(this, request, reply)
        } finally {
          endTurn(userId)
        }
      }
      wrapped.add(route.handler)
    })

    async function takeTurn(userId: string): Promise<void> {
      const share = shares.get(userId) ?? { underWay: 0, waiting: new Set() }
      shares.set(userId, share)
      if (share.underWay < AT_ONCE) {
        share.underWay++
        return
      }
      if (share.waiting.size >= MAX_WAITING) throw tooMany()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      share.waiting.add(resolve)
      const timer = setTimeout(() => {
        share.waiting.delete(resolve)
        reject(tooSlow())
      }, WAIT_MS)
      await promise.finally(() => clearTimeout(timer))
    }

    /** Gives the turn to the one who waits longest. */
    function endTurn(userId: string): void {
      const share = shares.get(userId)
      if (!share) return
      const [next] = share.waiting
      if (next) {
        share.waiting.delete(next)
        return next()
      }
      share.underWay--
      if (share.underWay === 0) shares.delete(userId)
    }
  },
  { name: 'dear-reads', dependencies: ['access'] },
)
