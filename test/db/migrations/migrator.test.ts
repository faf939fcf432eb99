import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import t, { type Test } from 'tap'
import { connect, type Connection } from '../../../db/connection/connect.ts'
import type { Migration } from '../../../db/migrations/migration.ts'
import { migrations } from '../../../db/migrations/index.ts'
import { migrate } from '../../../db/migrations/migrator.ts'
import type { Database } from '../../../db/tables/index.ts'
import { administer, serverConfig } from '../../helpers/database.ts'

/** An empty database, and connections to it. */
async function emptyDatabase(t: Test) {
  const database = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${database}`)
  const connections: Connection[] = []
  t.teardown(async () => {
    for (const { close } of connections) await close()
    await administer(`drop database ${database} with (force)`)
  })
  return () => {
    const connection = connect({ ...serverConfig(), database })
    connections.push(connection)
    return connection.db
  }
}

void t.test('several instances start at once on an empty database', async (t) => {
  const instance = await emptyDatabase(t)
  const ran = await Promise.all(Array.from({ length: 4 }, () => migrate(instance())))
  t.same(ran.flat(), Object.keys(migrations), 'one of them ran each migration')
  t.same(await migrate(instance()), [], 'one that starts later, while they run, finds it done')
})

void t.test('a database of any earlier state becomes the same as a new one', async (t) => {
  const columnsOf = async (db: Kysely<Database>) =>
    (await db.introspection.getTables()).flatMap((table) =>
      table.columns.map(({ name, dataType }) => `${table.name}.${name} ${dataType}`).toSorted(),
    )
  const fresh = (await emptyDatabase(t))()
  t.same(await migrate(fresh), Object.keys(migrations), 'all at once')
  // One at a time it passes through every earlier state; what the rest does with one of these all of them do above.
  const stepwise = (await emptyDatabase(t))()
  const known = Object.entries(migrations)
  for (const [i, [name]] of known.entries())
    t.same(await migrate(stepwise, Object.fromEntries(known.slice(0, i + 1)), { contract: true }), [name])
  t.same(await columnsOf(stepwise), await columnsOf(fresh))
})

void t.test('77. passwords in addresses that the audit trail has from before are masked', async (t) => {
  const db = (await emptyDatabase(t))()
  const names = Object.keys(migrations)
  const first = names.slice(0, names.indexOf('0015-audited-addresses'))
  await migrate(db, Object.fromEntries(first.map((name) => [name, migrations[name] as Migration])))
  const entries: [type: string, before: object | null, after: object | null][] = [
    ['provider_config', null, { name: 'a@b', credentials: { apiUrl: 'http://me:P@SS@host:8081/x@y?z=@' } }],
    [
      'provider_config',
      { credentials: { apiUrl: 'HTTPS://PASS@host' } },
      { credentials: { apiUrl: 'https://host/@' } },
    ],
    ['oauth_provider', null, { issuer: 'https://host', urls: ['https://u:PASS@one', 'https://u:PASS@two'] }],
    ['domain', null, { notes: 'what people write, https://somebody@host, stays' }],
  ]
  for (const [i, [type, before, after]] of entries.entries()) {
    await sql`
      insert into audit (id, actor_name, action, target_type, before, after)
      values (${`00000000-0000-0000-0000-00000000000${i}`}, 'ada', 'x', ${type}, ${before}, ${after})
    `.execute(db)
  }
  await migrate(db)
  const { rows } = await sql`select before, after from audit order by id`.execute(db)
  t.notMatch(JSON.stringify(rows), /P@?SS/)
  t.same(rows, [
    { before: null, after: { name: 'a@b', credentials: { apiUrl: 'http://••••@host:8081/x@y?z=@' } } },
    {
      before: { credentials: { apiUrl: 'HTTPS://••••@host' } },
      after: { credentials: { apiUrl: 'https://host/@' } },
    },
    { before: null, after: { issuer: 'https://host', urls: ['https://••••@one', 'https://••••@two'] } },
    { before: null, after: entries[3]?.[2] },
  ])
})
