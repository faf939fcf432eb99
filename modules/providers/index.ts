import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { ownedConfigs } from './configs/ownership.ts'
import { readingRoutes } from './configs/reading-routes.ts'
import { recordTypeRoutes } from './catalogue/routes.ts'
import { routes } from './configs/routes.ts'

/** DNS hosts: the catalogue and the configured accounts. */
const providers: FastifyPluginAsync = async (app) => {
  app.ownership.push(ownedConfigs)
  await app.register(routes, { prefix: SIGNED_IN.base })
  for (const audience of [SIGNED_IN, OPEN_API]) {
    const options = { prefix: audience.base, audience }
    await app.register(readingRoutes, options)
    await app.register(recordTypeRoutes, options)
  }
}

export default fp(providers, {
  name: 'providers',
  encapsulate: true,
  dependencies: [
    'db',
    'http',
    'tcp',
    'secrets',
    'metrics',
    'ownership',
    'access',
    'provider-accounts',
    'provider-registry',
    'provider-limits',
    'provider-breakers',
    'provider-turns',
  ],
})
