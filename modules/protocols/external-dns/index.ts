import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { routes } from './routes.ts'

/** The webhook for external-dns, which manages records for Kubernetes clusters. */
const externalDns: FastifyPluginAsync = async (app) => {
  await app.register(routes, { prefix: '/api/v1/external-dns' })
}

export default fp(externalDns, {
  name: 'external-dns',
  encapsulate: true,
  dependencies: ['access', 'provider-registry', 'records'],
})
