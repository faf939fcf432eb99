import { sql, type Kysely } from 'kysely'
import t from 'tap'
import { migrations } from '../../db/migrations/index.ts'
import { migrate } from '../../db/migrations/migrator.ts'
import type { Database } from '../../db/tables/index.ts'
import { startApp, type Answer, type Client } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

/** What people do all the time, reading and writing most tables, again and again until `done` says so. */
async function work(client: Client, domainId: string, done: () => boolean, seen: Answer[]): Promise<void> {
  for (let i = 0; !done(); i++) {
    const name = `host-${crypto.randomUUID()}`
    seen.push(
      await client.get('/api/auth/me'),
      await client.get('/api/users'),
      await client.get('/api/domains?search=example'),
      await client.get(`/api/domains/${domainId}`),
      await client.post(`/api/domains/${domainId}/records`, { recordType: 'A', name, value: '192.0.2.1' }),
      await client.get(`/api/domains/${domainId}/records?search=${name}`),
      await client.get(`/api/domains/${domainId}/changes`),
      await client.put('/api/auth/me/profile', { nickname: `number ${i}` }),
      await client.get('/api/audit'),
      await client.get('/api/notifications'),
    )
  }
}

/** A newer version's migration: a column more in tables that each request uses, in an order that invites deadlocks. */
async function addColumns(db: Kysely<unknown>): Promise<void> {
  for (const name of ['records', 'audit', 'domains', 'changes', 'users']) {
    await sql`alter table ${sql.table(name)} add column added_later text not null default 'x'`.execute(db)
  }
}

void t.test('the old version serves without an error while a new one migrates, and after', async (t) => {
  const old = await startApp(t)
  const configId = await addManual(old.admin)
  const { id } = await addDomain(old.admin, configId, 'example.com')
  const seen: Answer[] = []
  let done = false
  const clients = [old.admin, await old.signIn('root'), await old.signIn('root')]
  const working = Promise.all(clients.map((client) => work(client, id, () => done, seen)))

  await until('some answers', async () => seen.length > 100)
  const ran = await migrate(old.database.jobs, { ...migrations, '9999-later': { up: addColumns } })
  t.strictSame(ran, ['9999-later'])
  const before = seen.length
  await until('answers after the migration', async () => seen.length > before + 200)

  const { admin: newer } = await startApp(t, { database: old.database })
  const beside = work(newer, id, () => done, seen)
  const between = seen.length
  await until('answers of both', async () => seen.length > between + 200).finally(() => (done = true))
  await Promise.all([working, beside])
  t.strictSame(
    seen.filter(({ status }) => status >= 300).map(({ status, body }) => ({ status, body: body as unknown })),
    [],
  )
})

void t.test('a statement that was prepared for other columns is said again, on a new plan', async (t) => {
  const { db } = await createDatabase(t)
  await sql`create table growing (id integer)`.execute(db)
  await sql`insert into growing values (1)`.execute(db)
  const read = async (executor: Kysely<Database>) => (await sql`select * from growing`.execute(executor)).rows
  // On one connection, where it is prepared.
  await db.connection().execute(async (connection) => {
    t.strictSame(await read(connection), [{ id: 1 }])
    await sql`alter table growing add column name text`.execute(db)
    t.strictSame(await read(connection), [{ id: 1, name: null }])
    t.strictSame(await read(connection), [{ id: 1, name: null }])
  })
  // That connection is given up, so that the statement works in a transaction, too.
  t.strictSame(await db.transaction().execute(read), [{ id: 1, name: null }])
})
