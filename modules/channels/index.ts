import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { deliveryRoutes } from './delivery/routes.ts'
import { routes } from './routes.ts'

export type { ChannelTiming } from './context.ts'

/** Messages to the world outside: the configurations of channels, and the log of what they sent. */
const channels: FastifyPluginAsync = async (app) => {
  // Tests that wait for a receiver end with the service.
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  await app.register(routes)
  await app.register(deliveryRoutes, { stopping: stopping.signal })
}

export default fp(channels, {
  name: 'channels',
  encapsulate: true,
  dependencies: ['channel-worker', 'access', 'rate-limit', 'audit'],
})
