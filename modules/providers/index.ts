import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { ownedConfigs } from './ownership.ts'
import { recordTypeRoutes } from './routes.record-types.ts'
import { routes } from './routes.ts'

/** DNS hosts: the catalogue and the configured accounts. */
const providers: FastifyPluginAsync = async (app) => {
  app.ownership.push(ownedConfigs)
  await app.register(routes)
  await app.register(recordTypeRoutes)
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
