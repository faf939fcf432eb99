import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { routes } from './routes.ts'

/** Large changes that go on after their request was answered: how far they are. */
const operations: FastifyPluginAsync = async (app) => {
  await app.register(routes)
}

export default fp(operations, {
  name: 'operations',
  encapsulate: true,
  dependencies: ['db', 'access', 'domains', 'operations-worker'],
})
