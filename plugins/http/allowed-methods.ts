import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the methods that have a route for this path, for `Allow` (RFC 9110 10.2.1); none for an unknown path. */
    allowedMethods(path: string): string[]
  }
}

/**
 * Tells an unknown path (404) from a known path without that method (405). Fastify can only say whether one method has
 * a route, so each route is also kept as a pattern that is tried once nothing matched.
 */
export default fp(
  async (app) => {
    const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>()
    app.addHook('onRoute', ({ method, url }) => {
      const route = patterns.get(url) ?? { pattern: patternOf(url), methods: new Set() }
      patterns.set(url, route)
      // The CORS plugin answers OPTIONS on every path.
      for (const each of [method].flat()) if (each !== 'OPTIONS') route.methods.add(each)
    })
    app.decorate('allowedMethods', (path) => {
      const plain = decodeURI(path)
      const matching = [...patterns.values()].filter(({ pattern }) => pattern.test(plain))
      return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
    })
  },
  { name: 'allowed-methods' },
)

/** Matches the paths of a route: `:name` is one segment, `*` is any text, and a slash may follow. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/\/$/, '').replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}/?$`)
}
