import { sql } from 'kysely'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startZone, type Zone } from '../../helpers/zone.ts'
import { hear } from '../../helpers/events.ts'

const app = await startApp(t)

const rrset = (name: string, contents: string[]) => ({
  name: `${name}.example.com.`,
  type: 'A',
  ttl: 300,
  changetype: contents.length > 0 ? 'REPLACE' : 'DELETE',
  records: contents.map((content) => ({ content, disabled: false })),
})

const put = (zone: Zone, body: object) => zone.admin.put(`/api/domains/${zone.domainId}`, body)
const read = async (zone: Zone) => (await zone.admin.get(`/api/domains/${zone.domainId}`)).body
const runJob = () => app.app.work.run('records.sync')

/** What was told of this domain since, by name. */
function listen(zone: Zone) {
  const heard = hear(zone.app, 'domain.drift', 'domain.sync_failed')
  return async () =>
    (await heard()).flatMap(({ name, payload: { metadata, actorId } }) => {
      const { domainId, ...rest } = metadata
      return domainId === zone.domainId ? [{ name, actorId, ...rest }] : []
    })
}

/** As if the interval were over. */
const makeDue = (zone: Zone) =>
  sql`update domains set sync_due_at = now() where id = ${zone.domainId}`.execute(zone.database.db)

async function dueIn(zone: Zone): Promise<number | null> {
  const { rows } = await sql<{ minutes: number | null }>`
    select extract(epoch from sync_due_at - now())::float / 60 as minutes from domains where id = ${zone.domainId}
  `.execute(zone.database.db)
  return rows[0]?.minutes ?? null
}

void t.test('off by default; once on, it syncs soon and then each interval', async (t) => {
  const zone = await startZone(t, { app })
  t.equal((await read(zone)).syncInterval, null)
  zone.fake.patch('example.com', [rrset('outside', ['192.0.2.1'])])
  await runJob()
  t.match(await read(zone), { recordCount: 0 })

  // As where the provider could not be read when the domain was registered.
  await sql`update domains set last_synced_at = null where id = ${zone.domainId}`.execute(zone.database.db)

  const heard = listen(zone)
  t.match(await put(zone, { syncInterval: 60 }), { status: 200, body: { syncInterval: 60 } })
  await runJob()
  t.match(await read(zone), { recordCount: 1, lastSyncedAt: String, lastSyncError: null })
  t.same(await heard(), [], 'the first reading is no change')
  const minutes = (await dueIn(zone)) as number
  t.ok(minutes > 56 && minutes < 64, `next in ${minutes} minutes`)

  zone.fake.patch('example.com', [rrset('second', ['192.0.2.2'])])
  await runJob()
  t.match(await read(zone), { recordCount: 1 }, 'not before its time')
  await makeDue(zone)
  await runJob()
  t.match(await read(zone), { recordCount: 2 })
  t.same(await heard(), [
    {
      name: 'domain.drift',
      actorId: null,
      domainName: 'example.com',
      unicodeName: 'example.com',
      created: 1,
      updated: 0,
      deleted: 0,
      applied: true,
      reason: null,
    },
  ])
  const { body } = await zone.admin.get(`/api/domains/${zone.domainId}/changes`)
  t.match(body.changes[0], { source: 'sync', actor: { id: null, name: 'system' } })

  t.match(await put(zone, { syncInterval: null }), { body: { syncInterval: null } })
  t.equal(await dueIn(zone), null)
})

void t.test('what needs a person is announced once and left alone', async (t) => {
  const zone = await startZone(t, { app })
  const names = Array.from({ length: 12 }, (_, i) => `h${i}`)
  zone.fake.patch(
    'example.com',
    names.map((name) => rrset(name, ['192.0.2.1'])),
  )
  await put(zone, { syncInterval: 5 })
  await runJob()
  const heard = listen(zone)
  zone.fake.patch(
    'example.com',
    names.slice(0, 11).map((name) => rrset(name, [])),
  )
  for (let i = 0; i < 2; i++) {
    await makeDue(zone)
    await runJob()
  }
  t.match(await read(zone), {
    recordCount: 12,
    lastSyncError: /11 of 12/,
    lastSyncErrorCode: 'many_deletions',
    lastSyncErrorParams: { deleted: 11, known: 12 },
  })
  t.same(await heard(), [
    {
      name: 'domain.drift',
      actorId: null,
      domainName: 'example.com',
      unicodeName: 'example.com',
      created: 0,
      updated: 0,
      deleted: 11,
      applied: false,
      reason: null,
    },
  ])
})

void t.test('a failing provider is announced once, and again after it recovered', async (t) => {
  const zone = await startZone(t, { app })
  await put(zone, { syncInterval: 5 })
  const heard = listen(zone)
  const turn = async () => {
    await makeDue(zone)
    await runJob()
  }
  zone.fake.deleteZone('example.com')
  await turn()
  await turn()
  t.match(await heard(), [
    { name: 'domain.sync_failed', actorId: null, error: String, errorCode: /^provider_/ },
  ])
  zone.fake.createZone('example.com')
  await turn()
  t.match(await read(zone), { lastSyncError: null, lastSyncErrorCode: null, lastSyncedAt: String })
  zone.fake.deleteZone('example.com')
  await turn()
  t.equal((await heard()).length, 1)
})

void t.test('each domain is synced by one of several instances', async (t) => {
  const second = await startApp(t, { database: app.database })
  const zones = await Promise.all([1, 2, 3].map(() => startZone(t, { app })))
  for (const zone of zones) await put(zone, { syncInterval: 5 })
  const readsOf = (zone: Zone) =>
    zone.fake.requests.filter(
      ({ method, path, query }) =>
        method === 'GET' && path.endsWith('/zones/example.com.') && !query.has('rrset_name'),
    ).length
  const before = zones.map(readsOf)
  await Promise.all([runJob(), second.app.work.run('records.sync'), runJob()])
  t.same(
    zones.map(readsOf),
    before.map((reads) => reads + 1),
  )
})

void t.test('the interval is checked', async (t) => {
  const zone = await startZone(t, { app })
  for (const syncInterval of [4, 43_201, 1.5, '60']) {
    const answer = await put(zone, { syncInterval })
    t.match(answer, { status: 400, body: { code: 'validation_failed', errors: [{ path: '/syncInterval' }] } })
  }
})
