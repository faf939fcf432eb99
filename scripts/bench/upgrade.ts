import type pg from 'pg'
import { migrations } from '../../db/migrations/index.ts'
import { migrate } from '../../db/migrations/migrator.ts'
import { ms, verdict, type Result, type Row } from './report.ts'
import { startPostgres, withClient, withConnection } from './postgres.ts'
import { startLoad } from './statement-load.ts'
import { seedDomains, seedUsers } from './seed.ts'

/** The last migration of the previous release. */
const RELEASED = '0044-external-sessions'
const DOMAINS = Number(process.env['BENCH_DOMAINS'] ?? 1_000_000)
const RECORDS_EACH = Number(process.env['BENCH_RECORDS_EACH'] ?? 2)
const CHANGES = Number(process.env['BENCH_CHANGES'] ?? 2_000_000)
/** Milliseconds. */
const TARGET = 1_000

/** What the previous release does all the time, in the tables that migrations change. */
const STATEMENTS = [
  `update domains set updated_at = now() where id = (select id from domains where id > gen_random_uuid() limit 1)`,
  `select count(*) from (select from domains order by id limit 50) as page`,
  `insert into records (id, domain_id, name, type, value, ttl, status)
    select gen_random_uuid(), id, 'host-' || gen_random_uuid(), 'A', '192.0.2.1', 300, 'active' from domains limit 1`,
  `insert into changes (id, domain_id, actor_name, source, status, lease_until)
    select gen_random_uuid(), id, 'bench', 'manual', 'applied', now() from domains limit 1`,
  `select count(*) from (select from users limit 50) as page`,
  `update users set updated_at = now() where username = 'admin'`,
]

/** The migrations since the previous release on a large database in use: the longest wait of a statement for each. */
export async function upgrade(): Promise<Result> {
  const postgres = await startPostgres({ durable: false })
  try {
    const names = Object.keys(migrations)
    const upTo = (end: number) =>
      Object.fromEntries(Object.entries(migrations).slice(0, end)) as typeof migrations
    const released = names.indexOf(RELEASED) + 1
    const database = await postgres.createEmptyDatabase('bench_upgrade')
    await withConnection(database, ({ jobs }) => migrate(jobs, upTo(released)))
    await seedUsers(database)
    await seedDomains(database, { domains: DOMAINS, recordsEach: RECORDS_EACH })
    await seedChanges(database)
    const load = await startLoad(database, STATEMENTS)
    const rows: Row[] = []
    for (let end = released; end <= names.length; end++) {
      load.reset()
      const begun = performance.now()
      // Without any migration first: how long statements take without one.
      if (end === released) await new Promise((resolve) => setTimeout(resolve, 5_000))
      else await withConnection(database, ({ jobs }) => migrate(jobs, upTo(end), { contract: true }))
      const took = performance.now() - begun
      const longest = await load.longest()
      rows.push({
        migration: end === released ? 'none, for 5 s' : (names[end - 1] as string),
        takes: ms(took),
        'longest statement': ms(longest.ms),
        statement: longest.statement.slice(0, 40),
        holds: verdict(longest.ms < TARGET),
      })
    }
    await load.stop()
    return {
      title: 'Migrations of a large database in use.',
      target: 'no statement waits for 1 s',
      rows,
      notes: [
        `${DOMAINS.toLocaleString('en')} domains, ${(DOMAINS * RECORDS_EACH).toLocaleString('en')} records and ${CHANGES.toLocaleString('en')} changes; ${STATEMENTS.length} statements of the previous release, each over and over on a connection of its own. PostgreSQL doesn't wait for the disk.`,
      ],
    }
  } finally {
    await postgres.close()
  }
}

const seedChanges = (database: pg.ClientConfig) =>
  withClient(database, async (client) => {
    await client.query(
      `insert into changes (id, domain_id, actor_name, source, status, lease_until)
       select gen_random_uuid(), id, 'bench', 'manual', 'applied', now()
       from domains, generate_series(1, greatest(1, $1::int / (select count(*) from domains)::int)) limit $1`,
      [CHANGES],
    )
    await client.query('vacuum analyze changes')
  })
