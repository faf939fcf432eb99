import fp from 'fastify-plugin'
import { AppError, unavailable } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An expensive request: each user may run only a few of these at the same time. */
    concurrencyLimit?: boolean
  }
  interface FastifyRequest {
    /** Ends this request's share of the concurrency limit; null where it has none. */
    releaseSlot: (() => void) | null
  }
}

/** Expensive requests of one user at the same time: less than half of the database connections. */
const MAX_RUNNING = 4
const MAX_WAITING = 100
const WAIT_MS = 3_000

interface UserRequests {
  running: number
  /** First in, first out; each call starts one request. */
  waiting: Set<() => void>
}

const tooMany = () =>
  new AppError(429, 'rate_limited', 'Too many concurrent requests; try again shortly', {
    headers: { 'retry-after': String(WAIT_MS / 1000) },
  })

// 503, as for any other timeout: the database may be the cause.
const tooSlow = () =>
  unavailable('Your other requests are still running; try again shortly', { seconds: WAIT_MS / 1000 })

/**
 * Lets expensive requests of one user wait for each other, so that they don't delay other users. A request that waits
 * too long gets 503, one too many 429. Each instance counts on its own, as it has its own database connections.
 */
export default fp(
  async (app) => {
    const users = new Map<string, UserRequests>()
    app.decorateRequest('releaseSlot', null)

    app.addHook('preHandler', async (request) => {
      if (request.routeOptions.config.concurrencyLimit !== true) return
      const { userId } = request.principal
      await takeSlot(userId)
      request.releaseSlot = () => releaseSlot(userId)
    })
    // When the handler is done, not when the client hangs up: the database works on after that.
    app.addHook('onSend', (request, _reply, payload, done) => {
      request.releaseSlot?.()
      request.releaseSlot = null
      done(null, payload)
    })

    async function takeSlot(userId: string): Promise<void> {
      const user = users.get(userId) ?? { running: 0, waiting: new Set() }
      users.set(userId, user)
      if (user.running < MAX_RUNNING) {
        user.running++
        return
      }
      if (user.waiting.size >= MAX_WAITING) throw tooMany()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      user.waiting.add(resolve)
      const timer = setTimeout(() => {
        user.waiting.delete(resolve)
        reject(tooSlow())
      }, WAIT_MS)
      await promise.finally(() => clearTimeout(timer))
    }

    /** Passes the slot to the request that has waited longest. */
    function releaseSlot(userId: string): void {
      const user = users.get(userId)
      if (!user) return
      const [next] = user.waiting
      if (next) {
        user.waiting.delete(next)
        return next()
      }
      user.running--
      if (user.running === 0) users.delete(userId)
    }
  },
  { name: 'concurrency-limit', dependencies: ['access'] },
)
