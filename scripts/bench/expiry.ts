import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../db/tables/index.ts'
import { claimChecks } from '../../modules/domains/expiry/watch/check-queries.ts'
import { sweepReminders } from '../../modules/domains/expiry/watch/reminders.ts'
import { startPostgres, withClient, withConnection } from './postgres.ts'
import { median, ms, ratio, verdict, type Result, type Row } from './report.ts'
import { seedDomains, seedUsers } from './seed.ts'

const SIZES = [1_000, 1_000_000] as const
const DUE = 500
const ROUNDS = 9
const TARGET_MS = 5_000
const TARGET_RATIO = 1.5

interface Work {
  what: string
  /** Before each round. */
  prepare: string[]
  run: (db: Kysely<Database>) => Promise<unknown>
}

const sweep: Work['run'] = (db) => sweepReminders({ db })
const some = `select id from domains where expires_at > now() order by id limit ${DUE}`

const WORKS: Work[] = [
  { what: 'the sweep, nothing due', prepare: [], run: sweep },
  {
    what: `the sweep, ${DUE} reminders due and sent`,
    prepare: [
      'delete from expiry_reminders',
      `update domains set expires_at = now() + interval '5 days', reminder_due_at = now() where id in (${some})`,
    ],
    run: sweep,
  },
  {
    what: 'claiming one of 100 due look-ups',
    prepare: [
      'delete from leases',
      `update domains set expiry_check_due_at = now() where id in (${some.replace(String(DUE), '100')})`,
    ],
    run: (db) => claimChecks(db, randomUUID(), 1),
  },
]

/** The work of every minute with the same number of due items, for few and for many domains. */
export async function expiry(): Promise<Result> {
  const postgres = await startPostgres({ durable: false })
  try {
    const databases: pg.ClientConfig[] = []
    for (const domains of SIZES) {
      const database = await postgres.createDatabase(`expiry_${domains}`)
      await seedUsers(database)
      await seedDomains(database, { domains, recordsEach: 0 })
      databases.push(database)
    }
    const rows: Row[] = []
    for (const work of WORKS) rows.push(await measure(databases, work))
    return {
      title: 'Scheduled tasks of every minute with 1,000 and 1,000,000 domains.',
      target: `under ${TARGET_MS / 1000} s, and the cost grows by less than ${TARGET_RATIO} times`,
      rows,
      notes: [`${ROUNDS} alternating rounds each, medians; automatic look-ups are on for every domain.`],
    }
  } finally {
    await postgres.close()
  }
}

async function measure(databases: pg.ClientConfig[], { what, prepare, run }: Work): Promise<Row> {
  const times = databases.map(() => [] as number[])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, database] of databases.entries()) {
      await withClient(database, async (client) => {
        for (const statement of prepare) await client.query(statement)
      })
      await withConnection(database, async ({ db }) => {
        await db.selectFrom('users').select('id').execute()
        const begun = performance.now()
        await run(db)
        // The first round fills the caches.
        if (round > 0) times[i]?.push(performance.now() - begun)
      })
    }
  }
  const [few, many] = times.map(median) as [number, number]
  return {
    work: what,
    '1,000': ms(few),
    '1,000,000': ms(many),
    grows: ratio(many / few),
    holds: verdict(many < TARGET_MS && many / few < TARGET_RATIO),
  }
}
