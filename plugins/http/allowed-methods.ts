import fp from 'fastify-plugin'
import createRouter from 'find-my-way'

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that a path has, for `Allow` (RFC 9110 10.2.1); none where there is no such path. */
    allowedMethods(path: string): string[]
  }
}

type Method = Parameters<ReturnType<typeof createRouter>['find']>[0]

/**
 * A path with a method that it has not must be told from a path that there is not. Fastify doesn't show what its
 * router finds, so the routes are also in one of our own, of the same kind and with the same options.
 */
export default fp<{ ignoreTrailingSlash: boolean; maxParamLength: number }>(
  (app, options, done) => {
    const router = createRouter(options)
    const methods = new Set<Method>()
    app.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat() as Method[]) {
        // That of cross-origin calls is on every path.
        if (each === 'OPTIONS' || router.hasRoute(each, url)) continue
        router.on(each, url, () => {})
        methods.add(each)
      }
    })
    app.decorate('allowedMethods', (path) =>
      [...methods].filter((method) => router.find(method, path)).sort(),
    )
    done()
  },
  { name: 'allowed-methods' },
)
