import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { dyndnsRoutes } from './routes.ts'

/** Dynamic DNS: addresses of hosts updated by routers and other clients. */
const dyndns: FastifyPluginAsync = async (app) => {
  await app.register(dyndnsRoutes)
}

export default fp(dyndns, {
  name: 'dyndns',
  encapsulate: true,
  dependencies: ['db', 'rate-limit', 'access', 'records'],
})
