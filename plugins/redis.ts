import type { Redis } from 'ioredis'
import fp from 'fastify-plugin'
import { redisClient } from './events.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What several instances share and that may be lost; null: there is one instance. */
    redis: Redis | null
  }
}

/** To be registered before the events: it ends after them, and listeners still store what they hear. */
export default fp<{ redisUrl: string | null }>(
  async (app, { redisUrl }) => {
    const redis = redisUrl === null ? null : await redisClient(redisUrl, app.log)
    app.decorate('redis', redis)
    app.addHook('onClose', async () => redis?.disconnect())
  },
  { name: 'redis' },
)
