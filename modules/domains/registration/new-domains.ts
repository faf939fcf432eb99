import fp from 'fastify-plugin'
import type { Caller } from '../../../plugins/security/access/index.ts'

interface Start {
  /** Id of a template. */
  id: string
  variables?: Record<string, string>
}

declare module 'fastify' {
  interface FastifyInstance {
    newDomains: {
      /**
       * Prepares the initial records of a new domain, such as those of a template; set by the module that
       * provides them. Rejects if that is not possible. The returned function is called with the id of the
       * registered domain, and returns warnings.
       */
      prepare: (caller: Caller, start: Start) => Promise<(domainId: string) => Promise<string[]>>
      /**
       * Imports a new domain from its provider; set by the records module. Never rejects, and takes a limited
       * time.
       */
      read: (caller: Caller, domainId: string) => Promise<void>
    }
  }
}

/** Lets registration fill a domain with records without depending on the modules that provide them. */
export default fp(
  async (app) => {
    app.decorate('newDomains', {
      read: () => Promise.reject(new Error('No module has registered a reader for new domains')),
      prepare: () => Promise.reject(new Error('No module has registered initial records for new domains')),
    })
  },
  { name: 'new-domains' },
)
