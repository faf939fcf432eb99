import fp from 'fastify-plugin'
import type { Kysely } from 'kysely'
import type { Connection } from '../db/connection/connect.ts'
import { DatabaseReadOnly, isUnavailable } from '../db/connection/errors.ts'
import type { Database } from '../db/tables/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Kysely<Database>
    /** For long background work, with its own connections and time limits. */
    jobsDb: Kysely<Database>
    connection: Connection
  }
}

/** The database. The caller opens it and closes it after the app. */
export default fp<{ connection: Connection }>(
  async (app, { connection }) => {
    app.decorate('db', connection.db)
    app.decorate('jobsDb', connection.jobs)
    app.decorate('connection', connection)
    /** Since the database was last known to answer. */
    let failedRequests = 0
    app.addHook('onError', async (_request, _reply, error) => {
      if (isUnavailable(error)) failedRequests++
    })
    app.addHook('onReady', async () => {
      connection.watch((failure) => {
        if (failure instanceof DatabaseReadOnly) app.log.error('the database is read-only')
        else if (failure) app.log.error({ reason: failure.message }, 'the database does not answer')
        else {
          app.log.info({ failedRequests }, 'the database answers again')
          failedRequests = 0
        }
      })
    })
  },
  { name: 'db' },
)
