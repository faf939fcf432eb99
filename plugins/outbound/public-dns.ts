import { NODATA, NOTFOUND } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import fp from 'fastify-plugin'

/** Queries public DNS with the operator's resolvers; a user's provider account doesn't count. */
export interface PublicDns {
  /**
   * Returns the TXT records of a name, each with its strings joined; follows aliases. Empty without any.
   * Rejects if no resolver answers.
   */
  texts(name: string): Promise<string[]>
}

declare module 'fastify' {
  interface FastifyInstance {
    publicDns: PublicDns
  }
}

/** Per query to one resolver. */
const TIMEOUT_MS = 2_000
const TRIES = 2
const NONE: ReadonlySet<string | undefined> = new Set([NODATA, NOTFOUND])

/** `resolvers`: addresses with optional ports; none: the system's. */
export default fp<{ resolvers: readonly string[] }>(
  async (app, { resolvers }) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
    if (resolvers.length > 0) resolver.setServers(resolvers)
    app.decorate('publicDns', {
      async texts(name) {
        try {
          return (await resolver.resolveTxt(name)).map((strings) => strings.join(''))
        } catch (error) {
          if (NONE.has((error as NodeJS.ErrnoException).code)) return []
          throw error
        }
      },
    } satisfies PublicDns)
    app.addHook('onClose', async () => resolver.cancel())
  },
  { name: 'public-dns' },
)
