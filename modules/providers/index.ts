import type { FastifyPluginAsync } from 'fastify'
import { configHolding } from './holding.ts'
import { routes } from './routes.ts'

/** DNS hosts: the catalogue and the configured accounts. */
const providers: FastifyPluginAsync = async (app) => {
  app.holdings.push(configHolding)
  await app.register(routes)
}

export default providers
