import fp from 'fastify-plugin'
import type { Caller } from '../../../plugins/security/access/index.ts'

interface Start {
  /** Of a template. */
  id: string
  variables?: Record<string, string>
}

declare module 'fastify' {
  interface FastifyInstance {
    newDomains: {
      /**
       * What new domains begin with, where that is wished for: set by the area that knows how. Rejects where it can't
       * be; what it answers is called with the id of the domain that was registered, and answers what to heed.
       */
      prepare: (caller: Caller, start: Start) => Promise<(domainId: string) => Promise<string[]>>
      /** Reads a new domain from its provider: set by the area that has the records. Does not reject; it is bounded. */
      read: (caller: Caller, domainId: string) => Promise<void>
    }
  }
}

/** Lets registration fill a domain with records without depending on the modules that provide them. */
export default fp(
  async (app) => {
    app.decorate('newDomains', {
      read: () => Promise.reject(new Error('Nothing is there that reads domains')),
      prepare: () => Promise.reject(new Error('Nothing is there that domains begin with')),
    })
  },
  { name: 'new-domains' },
)
