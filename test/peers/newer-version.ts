import { sql, type Kysely } from 'kysely'
import { migrations } from '../../db/migrations/index.ts'
import type { Migration } from '../../db/migrations/migration.ts'
import { createIndex, updateInBatches } from '../../db/migrations/steps.ts'
import { main } from '../../main.ts'

/* The service as its next release could be: with a migration of tables that each request uses. Run as a process. */

const TABLES = ['records', 'audit', 'domains', 'changes', 'users']

const later: Migration = {
  async up(db: Kysely<unknown>) {
    // In an order that invites deadlocks.
    for (const name of TABLES) {
      await sql`alter table ${sql.table(name)} add column added_later text not null default 'x'`.execute(db)
    }
  },
  steps: [
    createIndex('records_later', 'records (added_later)'),
    updateInBatches('records', { set: `added_later = 'y'`, where: `added_later = 'x'` }),
  ],
}
migrations['9999-later'] = later
await main()
