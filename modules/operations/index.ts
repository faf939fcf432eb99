import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { routes } from './routes.ts'

/** Large changes that go on after their request was answered: how far they are. */
const operations: FastifyPluginAsync = async (app) => {
  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(routes, { prefix: audience.base, audience })
  }
}

export default fp(operations, {
  name: 'operations',
  encapsulate: true,
  dependencies: ['db', 'access', 'domains', 'operations-worker'],
})
