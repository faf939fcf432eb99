import type { Kysely } from 'kysely'

/**
 * A change of the schema. Instances of the previous release serve while it runs and after it, so a migration only adds
 * (expand) unless it has `contract`. Versions that know a migration have applied it, or wait for it.
 */
export interface Migration {
  /** Runs in one transaction. It must be quick, because its locks are held until the end. */
  up: (db: Kysely<unknown>) => Promise<void>
  /** What takes long on large tables. Steps run after `up`, each committed on its own, and continue where they stopped. */
  steps?: readonly Step[]
  /** Set if this removes what earlier releases use. It then runs only on a new database, or when it is asked for. */
  contract?: Contract
}

/** Which instances can serve a database after a migration that removes something. */
export interface Contract {
  /** The migration that versions must know to serve the database afterwards. */
  needs: string
  /** The first release that knows it, for people. */
  release: string
}

export type Step = SessionStep | BatchStep

/** Runs outside a transaction, and can be repeated after an interruption. Waits for locks that block no requests. */
export interface SessionStep {
  run: (session: Kysely<unknown>) => Promise<void>
}

/** Goes through a table by its key, in transactions of about 200 ms. */
export interface BatchStep {
  table: string
  /** Returns the last key of the batch, and null after the last row. `after` is null at the start. */
  batch: (trx: Kysely<unknown>, place: { after: string | null; size: number }) => Promise<Batch | null>
}

interface Batch {
  last: string
  rows: number
}
