import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { routes } from './routes.ts'

/** Data of the start page. */
export default fp(
  async (app) => {
    for (const audience of [SIGNED_IN, OPEN_API]) {
      await app.register(routes, { prefix: audience.base, audience })
    }
  },
  {
    name: 'dashboard',
    encapsulate: true,
    dependencies: ['db', 'access', 'domains'],
  },
)
