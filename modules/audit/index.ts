import type { FastifyPluginAsync } from 'fastify'
import { routes } from './routes.ts'

/** The audit trail. */
const audit: FastifyPluginAsync = async (app) => {
  await app.register(routes)
}

export default audit
