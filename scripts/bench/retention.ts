import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import pino from 'pino'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import { auditArchive } from '../../modules/audit/archive.ts'
import { historyArchive } from '../../modules/records/history/archive.ts'
import { deleteExported, type Archive } from '../../plugins/retention/deletion.ts'
import { startPostgres, withClient, withConnection } from './postgres.ts'
import { ms, verdict, type Result, type Row } from './report.ts'
import { seedDomains, seedUsers } from './seed.ts'
import { startLoad } from './statement-load.ts'

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 1_000_000)
const DOMAINS = 10_000
/** Milliseconds. */
const TARGET = 500

/** What the service does all the time in these tables. */
const STATEMENTS = [
  `with change as (
     insert into changes (id, domain_id, actor_name, source, status, lease_until, settled_at)
     select uuidv7(), id, 'bench', 'manual', 'applied', now(), now() from domains limit 1 returning id
   )
   insert into change_items (change_id, position, action, record_id, name, type, after, outcome)
   select id, 0, 'create', uuidv7(), 'host', 'A', '{"name": "host", "type": "A"}', 'applied' from change`,
  `insert into audit (id, actor_name, action, target_type) values (uuidv7(), 'bench', 'domain.updated', 'domain')`,
  `select id from changes where domain_id = (select id from domains limit 1) order by seq desc limit 20`,
  `select id from audit order by at desc, id desc limit 50`,
]

/** Exports and deletes entries of the history and the audit log while both are written. */
export async function retention(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  const folder = mkdtempSync(path.join(tmpdir(), 'zonekeeper-archive-'))
  try {
    const database = await postgres.createDatabase('bench_retention')
    await seedUsers(database)
    await seedDomains(database, { domains: DOMAINS, recordsEach: 1 })
    await seedEntries(database)
    const load = await startLoad(database, STATEMENTS)
    const rows: Row[] = []
    const measure = async (what: string, entries: number, work: () => Promise<unknown>) => {
      load.reset()
      const begun = performance.now()
      await work()
      const took = performance.now() - begun
      const longest = await load.longest()
      rows.push({
        what,
        takes: `${Math.round(took / 1000)} s`,
        'entries per second': entries === 0 ? '' : Math.round((entries / took) * 1000),
        'longest statement': ms(longest.ms),
        statement: longest.statement.trim().replace(/\s+/g, ' ').slice(0, 30),
        holds: verdict(longest.ms < TARGET),
      })
    }
    await measure('nothing, for 20 s', 0, () => new Promise((resolve) => setTimeout(resolve, 20_000)))
    const archives: [string, (db: Kysely<Database>) => Archive][] = [
      ['audit log', auditArchive],
      ['history', historyArchive],
    ]
    for (const [what, archiveOf] of archives) {
      await measure(`${ENTRIES} entries of the ${what}`, ENTRIES, () =>
        withConnection(database, async ({ jobs: db }) => {
          const context = { db, log: pino({ level: 'silent' }), folder, months: 1 }
          await deleteExported(context, archiveOf(db), new AbortController().signal)
        }),
      )
    }
    await load.stop()
    const files = readdirSync(folder).map((name) => statSync(path.join(folder, name)).size)
    const size = Math.round(files.reduce((sum, each) => sum + each, 0) / 2 ** 20)
    return {
      title: 'Old entries exported and deleted, while the same tables are written and read.',
      target: `no statement of others takes ${TARGET} ms`,
      rows,
      notes: [
        `${files.length} files with ${size} MiB in all. The entries are of two months; a change has two records.`,
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await postgres.close()
  }
}

/** Entries of the third and fourth month before this one. */
const seedEntries = (database: pg.ClientConfig) =>
  withClient(database, async (client) => {
    const values = `
      (select array_agg(id) as ids from domains) as known, generate_series(1, $1::int) as n,
      lateral (select date_trunc('month', now()) - interval '4 months' + n * interval '50 days' / $1 as at) as times,
      lateral (select overlay(uuidv7()::text placing
        substr(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 1, 8) || '-' ||
        substr(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 9, 4) from 1 for 13)::uuid as id) as named`
    await client.query(
      `insert into audit (id, at, actor_name, action, target_type, target_id, target_name, after)
       select id, at, 'member', 'records.changed', 'domain', ids[1 + n % 10000], 'shop.example.com',
         '{"created": 1, "updated": 0, "deleted": 0}' from ${values}`,
      [ENTRIES],
    )
    await client.query(
      `insert into changes (id, domain_id, actor_name, source, status, lease_until, created_at, settled_at)
       select id, ids[1 + n % 10000], 'member', 'manual', 'applied', at, at, at from ${values}`,
      [ENTRIES],
    )
    await client.query(
      `insert into change_items (change_id, position, action, record_id, name, type, after, outcome)
       select id, position, 'create', uuidv7(), 'host', 'A', jsonb_build_object('name', 'host', 'type', 'A',
         'value', '192.0.2.' || position, 'ttl', 300, 'priority', null, 'proxied', null), 'applied'
       from changes, generate_series(0, 1) as position`,
    )
    await client.query('vacuum analyze changes')
    await client.query('vacuum analyze change_items')
    await client.query('vacuum analyze audit')
  })
