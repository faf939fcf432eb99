import { randomUUID } from 'node:crypto'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { startZone } from '../../helpers/zone.ts'

const one = await startApp(t, { alone: false })
const two = await startApp(t, { alone: false, database: one.database })
const { db } = one.database

const endOf = async (subject: string) => {
  const row = await db.selectFrom('leases').select('until').where('subject', '=', subject).executeTakeFirst()
  return row?.until.getTime() ?? 0
}

void t.test('one has it, for as long as it is renewed', async (t) => {
  const subject = randomUUID()
  t.equal(await one.app.leases.take('sync', subject), true)
  t.equal(await two.app.leases.take('sync', subject), false)
  t.equal(await two.app.leases.take('channel', subject), true, 'other work on it is not concerned')
  const [first, now] = [await endOf(subject), Date.now()]
  t.ok(first - now < 11_000, 'short')
  await until('it is renewed', async () => (await endOf(subject)) > first)
  await two.app.leases.end('sync', subject)
  t.equal(await two.app.leases.take('sync', subject), false, 'nobody else gives it back')
  await one.app.leases.end('sync', subject)
  t.equal(await two.app.leases.take('sync', subject), true)
})

void t.test('91. what nobody renews is free, and lost to who comes back', async (t) => {
  const subject = randomUUID()
  await one.app.leases.take('sync', subject)
  await db
    .updateTable('leases')
    .set({ until: new Date(0) })
    .where('subject', '=', subject)
    .execute()
  t.equal(await two.app.leases.take('sync', subject), true)
  const taken = await endOf(subject)
  await until('it is renewed', async () => (await endOf(subject)) > taken)
  t.equal(await one.app.leases.take('sync', subject), false)
})

void t.test('who is alone finds none', async (t) => {
  const own = await startApp(t)
  const subject = randomUUID()
  await own.database.db
    .insertInto('leases')
    .values({ kind: 'sync', subject, holder: randomUUID(), until: new Date(Date.now() + 60_000) })
    .execute()
  const again = await startApp(t, { database: own.database })
  t.equal(await again.app.leases.take('sync', subject), true)
})

void t.test('91. automatic syncs of an instance that died go on with the next run', async (t) => {
  const zone = await startZone(t, { app: one })
  await zone.admin.put(`/api/domains/${zone.domainId}`, { syncInterval: 60 })
  const lease = { kind: 'sync', subject: zone.domainId, holder: randomUUID() }
  await db
    .insertInto('leases')
    .values({ ...lease, until: new Date(Date.now() + 60_000) })
    .execute()
  const syncedAt = async () => (await zone.admin.get(`/api/domains/${zone.domainId}`)).body.lastSyncedAt
  const first = await syncedAt()
  await two.app.work.run('records.sync')
  t.equal(await syncedAt(), first, 'not while it lives')
  await db
    .updateTable('leases')
    .set({ until: new Date(0) })
    .where('holder', '=', lease.holder)
    .execute()
  await two.app.work.run('records.sync')
  t.not(await syncedAt(), first)
  t.equal(await endOf(zone.domainId), 0, 'given back')
})

void t.test('91. a change is left to its instance for as long as that works on it', async (t) => {
  const zone = await startZone(t, { app: one })
  const { promise, resolve } = Promise.withResolvers<void>()
  zone.fake.fail({ on: 'write', kind: 'late', until: () => promise })
  const answer = zone.admin.post(zone.url, { recordType: 'A', name: 'www', value: '192.0.2.1' })
  const leaseOf = async () => {
    const query = db.selectFrom('changes').select('lease_until').where('domain_id', '=', zone.domainId)
    return (await query.executeTakeFirst())?.lease_until.getTime() ?? 0
  }
  const first = await until('the change is open', leaseOf)
  t.ok(first - Date.now() < 11_000, 'short')
  await until('it is renewed', async () => (await leaseOf()) > first)
  resolve()
  t.match(await answer, { status: 201 })
})
