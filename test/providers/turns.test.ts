import { randomUUID } from 'node:crypto'
import t from 'tap'
import { startApp, type Client } from '../helpers/app.ts'
import { addDomain, addPowerDns } from '../helpers/zone.ts'
import { startFakePowerDns } from './fakes/powerdns.ts'

/* Changes at a server that takes one at a time, by several instances. */
const one = await startApp(t, { alone: false, providerBudgetMs: 10_000 })
const two = await startApp(t, { alone: false, database: one.database, providerBudgetMs: 10_000 })
const hurried = await startApp(t, { alone: false, database: one.database, providerBudgetMs: 2_000 })
const { db } = one.database

async function start(name: string, { oneWriter }: { oneWriter: boolean }) {
  const fake = await startFakePowerDns({ writeMs: 30, oneWriter })
  t.teardown(() => fake.close())
  fake.createZone(name)
  const configId = await addPowerDns(one.admin, fake, name)
  const { id } = await addDomain(one.admin, configId, name)
  const write = async (client: Client, host: string) =>
    client.post(`/api/domains/${id}/records`, { recordType: 'A', name: host, value: '192.0.2.1', ttl: 300 })
  const burst = async (begin: string) => {
    const hosts = Array.from({ length: 12 }, (_, i) => `${begin}${i}`)
    const answers = await Promise.all(hosts.map((host, i) => write(i % 2 ? one.admin : two.admin, host)))
    return answers.map(({ status }) => status).filter((status) => status !== 201)
  }
  const inTurnUntil = async () =>
    (await db.selectFrom('provider_configs').selectAll().where('id', '=', configId).executeTakeFirstOrThrow())
      .in_turn_until
  return { fake, configId, domainId: id, write, burst, inTurnUntil }
}

void t.test(
  '93. after the first that is locked, one change goes after another over all instances',
  async (t) => {
    const { fake, burst, inTurnUntil } = await start('one.test', { oneWriter: true })
    t.same(await burst('a'), [], 'what failed and left nothing behind is done again')
    t.ok(fake.writesAtOnce() > 1, 'they did not know')
    t.ok(await inTurnUntil())
    t.same(await burst('b'), [])
    t.equal(fake.writesAtOnce(), 1, 'they know')
    const left = await db.selectFrom('leases').select('subject').where('kind', '=', 'change').execute()
    t.same(left, [], 'all turns were given back')
  },
)

void t.test('a server that takes several at a time gets them', async (t) => {
  const { fake, burst, inTurnUntil } = await start('many.test', { oneWriter: false })
  t.same(await burst('a'), [])
  t.ok(fake.writesAtOnce() > 2)
  t.equal(await inTurnUntil(), null)
})

void t.test('93. two accounts of one server wait for each other', async (t) => {
  const { fake, write, burst, configId } = await start('first.test', { oneWriter: true })
  await burst('a')
  fake.createZone('second.test')
  const other = await addPowerDns(one.admin, fake, 'another')
  const { id } = await addDomain(one.admin, other, 'second.test')
  const learned = db.updateTable('provider_configs').set({ in_turn_until: new Date(Date.now() + 60_000) })
  await learned.where('id', 'in', [configId, other]).execute()
  fake.writesAtOnce()
  const body = { recordType: 'A', name: 'x', value: '192.0.2.1' }
  const answers = await Promise.all([
    ...['b', 'c', 'd'].map((host) => write(one.admin, host)),
    ...['y', 'z'].map((name) => two.admin.post(`/api/domains/${id}/records`, { ...body, name })),
  ])
  t.same(
    answers.map(({ status }) => status),
    [201, 201, 201, 201, 201],
  )
  t.equal(fake.writesAtOnce(), 1)
})

void t.test('93. who waits for its turn too long is told to come back', async (t) => {
  const { fake, write, burst } = await start('long.test', { oneWriter: true })
  await burst('a')
  const turn = { kind: 'change', holder: randomUUID() }
  const [subject] = await turnsTaken(() => write(one.admin, 'b'))
  t.ok(subject, 'the turn is a lease')
  const until = new Date(Date.now() + 60_000)
  await db
    .insertInto('leases')
    .values({ ...turn, subject: subject as string, until })
    .execute()
  const before = fake.requests.length
  const answer = await write(hurried.admin, 'c')
  t.match(answer, {
    status: 503,
    headers: { 'retry-after': '5' },
    body: { code: 'unavailable', detail: /one change at a time/ },
  })
  t.equal(fake.requests.length, before, 'nothing was sent')
  await db.deleteFrom('leases').where('holder', '=', turn.holder).execute()
  t.match(await write(hurried.admin, 'c'), { status: 201 }, 'nothing of it is left')

  /** The subjects of turns that are taken while `work` is done. */
  async function turnsTaken(work: () => Promise<unknown>): Promise<string[]> {
    const seen = new Set<string>()
    let done = false
    const working = work().finally(() => (done = true))
    while (!done) {
      const rows = await db.selectFrom('leases').select('subject').where('kind', '=', 'change').execute()
      for (const row of rows) seen.add(row.subject)
    }
    await working
    return [...seen]
  }
})
