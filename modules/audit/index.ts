import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { routes } from './routes.ts'

/** The audit trail. */
const audit: FastifyPluginAsync = async (app) => {
  await app.register(routes)
}

export default fp(audit, {
  name: 'audit',
  encapsulate: true,
  dependencies: ['db', 'access'],
})
