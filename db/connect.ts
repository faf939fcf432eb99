import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Dialect,
  type Transaction,
} from 'kysely'
import type pg from 'pg'
import { PipelineDriver } from './driver.ts'
import type { Database } from './tables.ts'

/** A database or a transaction of it: what every query takes first. */
export type Executor = Kysely<Database> | Transaction<Database>

/** A statement that takes longer is ended by the server: nothing in a request may. */
const STATEMENT_TIMEOUT_MS = 15_000

export interface Connection {
  db: Kysely<Database>
  close(): Promise<void>
}

/**
 * Kysely's own lock for migrations belongs to a session, and statements outside a transaction share sessions
 * here: migrator.ts has one of its own.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** How Kysely speaks; `createDriver` is the connection's. */
export const DIALECT: Dialect = {
  createAdapter: () => new Adapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** Opens the database; connects on first use. `config` as pg.Client takes it. */
export function connect(config: pg.ClientConfig): Connection {
  const driver = new PipelineDriver(
    {
      application_name: 'zonekeeper',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      ...config,
    },
    { lanes: 4, poolSize: 10 },
  )
  const db = new Kysely<Database>({ dialect: { ...DIALECT, createDriver: () => driver } })
  return { db, close: () => db.destroy() }
}
