import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { routes } from './routes.ts'

/** What a client's first page shows. */
const dashboard: FastifyPluginAsync = async (app) => {
  await app.register(routes)
}

export default fp(dashboard, {
  name: 'dashboard',
  encapsulate: true,
  dependencies: ['db', 'access', 'domains'],
})
