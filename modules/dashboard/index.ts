import type { FastifyPluginAsync } from 'fastify'
import { routes } from './routes.ts'

/** What a client's first page shows. */
const dashboard: FastifyPluginAsync = async (app) => {
  await app.register(routes)
}

export default dashboard
