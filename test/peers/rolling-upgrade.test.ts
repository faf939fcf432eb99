import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import t from 'tap'
import { migrations } from '../../db/migrations/index.ts'
import { migrate } from '../../db/migrations/migrator.ts'
import type { Database } from '../../db/tables/index.ts'
import { startApp, type Answer, type Client } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual, MANUAL } from '../helpers/zone.ts'
import { call, databaseUrl, signIn, startZonekeeper, type Answer as CallAnswer } from './zonekeeper.ts'

type CallOptions = NonNullable<Parameters<typeof call>[3]>

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

/** Tries a call on the instances in turn until one answers with another status than 503, as a load balancer and its clients do. */
async function insisting(
  instances: string[],
  method: string,
  path: string,
  options: CallOptions,
): Promise<CallAnswer> {
  const key = { 'idempotency-key': crypto.randomUUID() }
  for (let tries = 0; ; tries++) {
    const url = instances[tries % instances.length] as string
    const answer = await call(url, method, path, {
      ...options,
      ...(method === 'POST' && { headers: key }),
    }).catch((error: unknown) => {
      // fetch: the connection was refused, or cut off by the end of an instance.
      if (error instanceof TypeError) return null
      throw error
    })
    const isDone = answer !== null && answer.status !== 503 && !isUnderWay(answer)
    if (isDone) return answer
    if (tries > 100) throw new Error(`${method} ${path} is not answered: ${JSON.stringify(answer?.body)}`)
    await sleep(50)
  }
}

const isUnderWay = ({ status, body }: CallAnswer) =>
  status === 409 && body.reason === 'first_request_under_way'

void t.test(
  'instances are replaced one after the other under load: a client that retries sees no failure',
  async (t) => {
    const { config, db } = await createDatabase(t)
    const environment = {
      DATABASE_URL: databaseUrl(config),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const start = async (command?: string[]) => {
      const service = await startZonekeeper(environment, command ? { command } : {})
      t.teardown(() => service.stop())
      return service
    }
    const old = [await start(), await start()]
    const instances = old.map(({ url }) => url)
    const { accessToken: token } = await signIn(instances[0] as string)
    const ask = (method: string, path: string, body?: unknown) =>
      insisting(instances, method, path, body === undefined ? { token } : { token, body })
    const manual = await ask('POST', '/api/provider-configs', { providerId: MANUAL, name: 'manual' })
    const domain = await ask('POST', '/api/domains', {
      name: 'example.com',
      providerConfigId: manual.body.id,
    })
    const url = `/api/domains/${domain.body.id}`

    const failed: unknown[] = []
    const added: string[] = []
    let answers = 0
    const over = new AbortController()
    const note = (answer: CallAnswer) => {
      answers++
      if (answer.status >= 300) failed.push({ status: answer.status, body: answer.body as unknown })
    }
    const clients = Array.from({ length: 3 }, async () => {
      while (!over.signal.aborted) {
        const name = `host-${crypto.randomUUID()}`
        note(await ask('POST', `${url}/records`, { recordType: 'A', name, value: '192.0.2.1' }))
        added.push(name)
        note(await ask('GET', '/api/auth/me'))
        note(await ask('GET', '/api/domains?search=example'))
        note(await ask('GET', `${url}/changes`))
      }
    })
    const more = async (what: string) => {
      const before = answers
      await until(what, async () => answers > before + 60, { within: 60 })
    }
    const replacing = (async () => {
      await more('answers of the old version')
      for (const [i, service] of old.entries()) {
        const next = await start([process.execPath, 'test/peers/newer-version.ts'])
        await more('answers beside a newer version')
        instances[i] = next.url
        await service.stop()
        await more('answers after the end of an old one')
      }
    })()
    await replacing.finally(() => over.abort())
    await Promise.all(clients)
    t.same(failed, [])
    const { rows } = await sql<{
      name: string
    }>`select name from records where added_later = any('{x,y}')`.execute(db)
    const stored = rows.map(({ name }) => name)
    t.same(stored.sort(), added.sort(), 'each once')
  },
)

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
