import { NODATA, NOTFOUND } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import fp from 'fastify-plugin'

/** What public DNS says, by the resolvers of the operator; never by what a provider account of a user holds. */
export interface PublicDns {
  /**
   * The TXT records of a name, the strings of each joined; aliases are followed. Empty: there are none. Rejects when no
   * resolver gives an answer.
   */
  texts(name: string): Promise<string[]>
}

declare module 'fastify' {
  interface FastifyInstance {
    publicDns: PublicDns
  }
}

/** Of one question to one resolver. */
const TIMEOUT_MS = 2_000
const TRIES = 2
const NONE: ReadonlySet<string | undefined> = new Set([NODATA, NOTFOUND])

/** `resolvers`: addresses with optional ports; none: those of the system. */
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
