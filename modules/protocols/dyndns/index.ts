import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { dyndnsRoutes } from './routes.ts'

/** Addresses of hosts kept up to date by routers and their clients. */
const dyndns: FastifyPluginAsync = async (app) => {
  await app.register(dyndnsRoutes)
}

export default fp(dyndns, {
  name: 'dyndns',
  encapsulate: true,
  dependencies: ['db', 'rate-limit', 'access', 'records'],
})
