import { Kysely } from 'kysely'
import { DIALECT, type Executor } from './connect.ts'
import type { Database } from './tables.ts'

/**
 * Statements of a transaction that `work` starts at once go over the wire together, in that order; Kysely
 * itself sends each after the answer to the one before. When one fails, the later ones fail for that reason:
 * await all of them together. The transaction itself can't be used before `work` is done.
 */
export const pipelined = <T>(trx: Executor, work: (wire: Kysely<Database>) => Promise<T>): Promise<T> =>
  trx.getExecutor().provideConnection((connection) => {
    const executor = trx
      .getExecutor()
      .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
    const parts = { dialect: DIALECT, config: { dialect: DIALECT }, driver: DIALECT.createDriver() }
    return work(new Kysely<Database>({ ...parts, executor }))
  })
