import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { SIGNED_IN } from '../../plugins/openapi/audience.ts'
import type { ChannelTiming } from './context.ts'
import { deliveryRoutes } from './delivery/routes.ts'
import worker from './delivery/worker.ts'
import { routes } from './routes.ts'

/** Messages to the world outside: the configurations of channels, and the log of what they sent. */
const channels: FastifyPluginAsync = async (app) => {
  // Tests that wait for a receiver end with the service.
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  await app.register(routes, { prefix: SIGNED_IN.base })
  await app.register(deliveryRoutes, { prefix: SIGNED_IN.base, stopping: stopping.signal })
}

export default fp<{ channelTiming?: Partial<ChannelTiming> }>(
  async (app, { channelTiming: timing = {} }) => {
    await app.register(worker, { timing })
    await app.register(channels)
  },
  { name: 'channels', dependencies: ['access', 'rate-limit', 'audit'] },
)
