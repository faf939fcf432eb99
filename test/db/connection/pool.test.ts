import { sql } from 'kysely'
import t from 'tap'
import { createPool } from '../../../db/connection/pool.ts'
import { createDatabase } from '../../helpers/database.ts'

void t.test('that the database is away may be heard of when all has ended', async (t) => {
  const { config } = await createDatabase(t)
  const pool = createPool(config, { isFull: () => false })
  t.same((await sql`select 1 as one`.execute(pool.db)).rows, [{ one: 1 }])
  await pool.db.destroy()
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.prependListener('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  pool.shut()
  // What rejects is told of between two turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  t.same(unhandled, [])
})
