import fp from 'fastify-plugin'
import type { Executor } from '../../db/connection/connect.ts'

/**
 * One kind of thing that users own and that must not vanish with them. The areas that have such things
 * add theirs to `app.ownership`, so that deleting a user knows of all without knowing the areas.
 */
export interface Ownership {
  /** In the plural, for people: `domains`. */
  readonly name: string
  count(db: Executor, userId: string): Promise<number>
  /** Hands all of them over, in the caller's transaction. */
  transfer(trx: Executor, from: string, to: string): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** In the order of registration, which is the order in which they are handed over. */
    ownership: Ownership[]
  }
}

export default fp(
  async (app) => {
    app.decorate('ownership', [])
  },
  { name: 'ownership' },
)
