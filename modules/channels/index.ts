import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { SIGNED_IN } from '../../plugins/openapi/audience.ts'
import type { ChannelTiming } from './context.ts'
import { deliveryRoutes } from './delivery/routes.ts'
import worker from './delivery/worker.ts'
import { routes } from './routes.ts'

/** Messages to external receivers: channel configurations and the delivery log. */
const channels: FastifyPluginAsync = async (app) => {
  // Aborts channel tests that wait for a receiver.
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
