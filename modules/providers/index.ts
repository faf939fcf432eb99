import type { FastifyPluginAsync } from 'fastify'
import { routes } from './routes.ts'

/** DNS hosts: the catalogue and the configured accounts. */
const providers: FastifyPluginAsync = async (app) => {
  await app.register(routes)
}

export default providers
