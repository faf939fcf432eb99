import fp from 'fastify-plugin'
import allowedMethods from './http/allowed-methods.ts'
import bodies from './http/bodies.ts'
import errors from './http/errors.ts'
import gracefulShutdown from './http/graceful-shutdown.ts'
import { knownNames, type RouteNames } from './http/validation/known-names.ts'

interface ServerOptions {
  names: RouteNames
  /** Fastify's own, for the second router that knows the methods of each path. */
  routerOptions: { ignoreTrailingSlash: boolean; maxParamLength: number }
}

/** How the server reads bodies, refuses and stops. Comes first: an error while loading must already find its handler. */
export default fp<ServerOptions>(
  async (app, { names, routerOptions }) => {
    await app.register(errors)
    await app.register(allowedMethods, routerOptions)
    await app.register(gracefulShutdown)
    await app.register(bodies)
    await app.register(knownNames, { names })
  },
  { name: 'server' },
)
