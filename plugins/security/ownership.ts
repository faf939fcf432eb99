import fp from 'fastify-plugin'
import type { Executor } from '../../db/connection/connect.ts'

/**
 * One kind of thing users own that must not be lost with them. Modules add theirs to `app.ownership`, so that
 * deleting a user covers all without knowing the modules.
 */
export interface Ownership {
  /** Plural, for messages: `domains`. */
  readonly name: string
  count(db: Executor, userId: string): Promise<number>
  /** Transfers all of them, in the caller's transaction. */
  transfer(trx: Executor, from: string, to: string): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** In the order of registration, in which they are transferred. */
    ownership: Ownership[]
  }
}

export default fp(
  async (app) => {
    app.decorate('ownership', [])
  },
  { name: 'ownership' },
)
