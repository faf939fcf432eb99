import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import fp from 'fastify-plugin'
import { StartError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counters that several instances share and that may be lost; null: they count in the database. */
    redis: Redis | null
  }
}

export default fp<{ redisUrl: string | null }>(
  async (app, { redisUrl }) => {
    const redis = redisUrl === null ? null : await redisClient(redisUrl, app.log)
    await redis?.ping().catch((cause: Error) => {
      redis.disconnect()
      throw new StartError(`REDIS_URL: Redis does not answer: ${cause.message}`, { cause })
    })
    app.decorate('redis', redis)
    app.addHook('onClose', async () => redis?.disconnect())
  },
  { name: 'redis' },
)

/** A Redis connection that reconnects by itself and reports failures to the log. Loaded only where there is a Redis. */
async function redisClient(url: string, log: FastifyBaseLogger): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 2_000 })
  client.on('error', (error) => log.warn({ err: error }, 'Redis'))
  return client
}
