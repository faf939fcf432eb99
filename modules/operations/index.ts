import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { LARGE_CHANGE } from './contract.ts'
import { routes } from './routes.ts'
import worker from './worker.ts'

/** Operations: large changes that continue after the response to their request. */
const operationRoutes: FastifyPluginAsync = async (app) => {
  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(routes, { prefix: audience.base, audience })
  }
}

export default fp<{ largeChange?: number }>(
  async (app, { largeChange = LARGE_CHANGE }) => {
    await app.register(worker, { largeChange })
    await app.register(operationRoutes)
  },
  { name: 'operations', dependencies: ['db', 'access', 'domains'] },
)
