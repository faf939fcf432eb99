import fp from 'fastify-plugin'
import allowedMethods from './http/allowed-methods.ts'
import bodies from './http/bodies.ts'
import errors from './http/errors.ts'
import gracefulShutdown from './http/graceful-shutdown.ts'
import { knownNames, type RouteNames } from './http/validation/known-names.ts'
import tracing from './tracing.ts'

/**
 * How the server reads bodies, answers errors and stops. Registered first, so that errors while loading find
 * their handler.
 */
export default fp<{ names: RouteNames; otlpEndpoint: string | null }>(
  async (app, { names, otlpEndpoint }) => {
    await app.register(errors)
    await app.register(tracing, { otlpEndpoint })
    await app.register(allowedMethods)
    await app.register(gracefulShutdown)
    await app.register(bodies)
    await app.register(knownNames, { names })
  },
  { name: 'server' },
)
