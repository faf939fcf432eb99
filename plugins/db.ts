import fp from 'fastify-plugin'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Kysely<Database>
  }
}

/** The database, opened by the caller, who closes it after the app. */
export default fp<{ db: Kysely<Database> }>(
  async (app, { db }) => {
    app.decorate('db', db)
  },
  { name: 'db' },
)
