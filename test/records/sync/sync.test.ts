import { randomUUID } from 'node:crypto'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startZone, type Zone } from '../../helpers/zone.ts'

const app = await startApp(t)

const rrset = (name: string, type: string, contents: string[], ttl = 300) => ({
  name: name === '@' ? 'example.com.' : `${name}.example.com.`,
  type,
  ttl,
  changetype: contents.length > 0 ? 'REPLACE' : 'DELETE',
  records: contents.map((content) => ({ content, disabled: false })),
})
const change = (zone: Zone, ...rrsets: object[]) => zone.fake.patch('example.com', rrsets)
const sync = (zone: Zone, query = '') => zone.admin.post(`/api/domains/${zone.domainId}/sync${query}`)
const domain = async (zone: Zone) => (await zone.admin.get(`/api/domains/${zone.domainId}`)).body

void t.test('the provider is the truth', async (t) => {
  const zone = await startZone(t, { app })
  await zone.add('A', 'same', '192.0.2.1')
  await zone.add('A', 'ttl', '192.0.2.1')
  await zone.add('A', 'gone', '192.0.2.1')
  await zone.add('A', 'partly', '192.0.2.1')
  const before = (await zone.admin.get(`${zone.url}?search=ttl`)).body.records[0]
  change(
    zone,
    rrset('ttl', 'A', ['192.0.2.1'], 900),
    rrset('gone', 'A', []),
    rrset('partly', 'A', ['192.0.2.1', '192.0.2.2']),
    rrset('new', 'MX', ['10 mail.example.net.']),
    rrset('@', 'NS', ['ns1.example.net.']),
    rrset('4', 'MINFO', ['1 x.example.net.', '1 y.example.net.']),
  )
  const counts = { synced: 6, created: 3, updated: 1, deleted: 1, unchanged: 2, skipped: 2 }
  const dry = await sync(zone, '?dryRun=true')
  t.match(dry, {
    status: 200,
    body: {
      ...counts,
      dryRun: true,
      difference: {
        updated: [{ before: { name: 'ttl', recordType: 'A', ttl: 300 }, after: { ttl: 900 } }],
        deleted: [{ name: 'gone', recordType: 'A', value: '192.0.2.1' }],
      },
    },
  })
  t.equal(dry.body.difference.created.length, 3)
  t.equal((await zone.here()).length, 4, 'a dry run stores nothing')
  t.match(await domain(zone), { recordCount: 4 })

  t.match(await sync(zone), { status: 200, body: { ...counts, dryRun: false } })
  t.same(await zone.here(), [
    '@ NS ns1.example.net',
    'new MX 10 mail.example.net',
    'partly A 192.0.2.1',
    'partly A 192.0.2.2',
    'same A 192.0.2.1',
    'ttl A 192.0.2.1',
  ])
  const after = (await zone.admin.get(`${zone.url}?search=ttl`)).body.records[0]
  t.match(after, { id: before.id, version: before.version + 1, ttl: 900 })
  t.match((await zone.admin.get(`${zone.url}?search=new`)).body.records, [{ priority: 10, status: 'active' }])
  t.match(await domain(zone), { recordCount: 6, lastSyncedAt: String, lastSyncError: null })
  const again = { synced: 6, created: 0, updated: 0, deleted: 0, unchanged: 6, skipped: 2 }
  t.match(await sync(zone), { body: again })
  const { body: history } = await zone.admin.get(`/api/domains/${zone.domainId}/changes`)
  t.match(history.changes[0], { source: 'sync', itemCount: 5, actor: { name: 'root' } })
  t.equal(history.changes.filter(({ source }: { source: string }) => source === 'sync').length, 1)
})

void t.test('a zone with far fewer records must be confirmed', async (t) => {
  const zone = await startZone(t, { app })
  const names = Array.from({ length: 10 }, (_, i) => `h${i}`)
  change(zone, ...names.map((name) => rrset(name, 'A', ['192.0.2.1'])))
  await sync(zone)
  const { lastSyncedAt } = await domain(zone)
  change(zone, ...names.slice(0, 3).map((name) => rrset(name, 'A', [])))
  t.match(await sync(zone, '?dryRun=true'), { status: 200, body: { deleted: 3 } })
  t.match(await sync(zone), { status: 200, body: { deleted: 3 } }, '30 % is not more than 30 %')

  change(zone, ...names.slice(0, 4).map((name) => rrset(name, 'A', ['192.0.2.1'])))
  await sync(zone)
  const { lastSyncedAt: last } = await domain(zone)
  t.ok(last > lastSyncedAt)
  change(zone, ...names.slice(0, 5).map((name) => rrset(name, 'A', [])))
  const refused = await sync(zone)
  t.match(refused, {
    status: 409,
    body: {
      code: 'confirmation_required',
      detail: /5 of 10/,
      deleted: 5,
      created: 0,
      unchanged: 5,
      difference: { deleted: [{ name: String, recordType: 'A', value: '192.0.2.1', ttl: 300 }] },
    },
  })
  t.match(await domain(zone), { recordCount: 10, lastSyncedAt: last }, 'refused is not synced')
  t.match(await sync(zone, '?force=true'), { status: 200, body: { deleted: 5 } })
  t.match(await domain(zone), { recordCount: 5 })
  change(zone, ...names.map((name) => rrset(name, 'A', [])))
  t.match(await sync(zone), { status: 200, body: { deleted: 5 } }, 'small zones need no confirmation')
})

void t.test('one sync at a time', async (t) => {
  const zone = await startZone(t, { app })
  await zone.add('A', 'www', '192.0.2.1')
  const answers = await Promise.all([sync(zone), sync(zone), sync(zone, '?dryRun=true')])
  const statuses = answers.map(({ status }) => status)
  t.ok(statuses.includes(200))
  t.ok(statuses.every((status) => status === 200 || status === 409))
  const lease = (until: Date) =>
    zone.database.db
      .insertInto('leases')
      .values({ kind: 'sync', subject: zone.domainId, holder: randomUUID(), until })
      .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet({ until }))
      .execute()
  await lease(new Date(Date.now() + 60_000))
  t.match(await sync(zone), { status: 409, body: { code: 'conflict', reason: 'sync_under_way' } })
  await lease(new Date(0))
  t.match(await sync(zone), { status: 200 }, 'a sync that died blocks for a while only')
  await lease(new Date(Date.now() + 60_000))
  await startApp(t, { database: zone.database, alone: true })
  t.match(await sync(zone), { status: 200 }, 'or until the service starts again')
})

void t.test('a failure of the provider is an error and never an empty zone', async (t) => {
  const zone = await startZone(t, { app })
  await zone.add('A', 'www', '192.0.2.1')
  const info = { id: 'example.com.', name: 'example.com.' }
  const rrsets = (sets: unknown) => JSON.stringify({ ...info, rrsets: sets })
  const www = {
    name: 'www.example.com.',
    type: 'A',
    ttl: 300,
    records: [{ content: '192.0.2.1', disabled: false }],
  }
  const garbage = [
    '',
    'null',
    '[]',
    '{}',
    '{"rrsets":[]}',
    '<html>',
    JSON.stringify(info),
    rrsets(null),
    rrsets({}),
    rrsets([null]),
    rrsets([{ ...www, records: null }]),
    rrsets([{ ...www, ttl: 'x' }]),
    rrsets([{ ...www, ttl: 1e12 }]),
    rrsets([{ ...www, ttl: 1.5 }]),
    rrsets([{ ...www, ttl: -1 }]),
    rrsets([{ ...www, records: [{ content: 5 }] }]),
    rrsets([www]).slice(0, -1),
    rrsets([www]).replaceAll('example.com', 'example.net'),
    rrsets([www, { ...www, type: 'CNAME', records: [{ content: 'x.example.net.' }] }]),
  ]
  const { lastSyncedAt } = await domain(zone)
  for (const body of garbage) {
    zone.fake.fail({ on: 'read', kind: 'garble', body, times: Infinity })
    const answer = await sync(zone, '?force=true')
    zone.fake.heal()
    t.ok([502, 504].includes(answer.status), `${answer.status} for ${body.slice(0, 120)}`)
    t.match(await domain(zone), { recordCount: 1, lastSyncedAt, lastSyncError: String }, body)
  }
  zone.fake.fail({ kind: 'answer', answer: { status: 401 } })
  t.match(await sync(zone), { status: 502, body: { code: 'provider_auth_failed' } })
  t.match(await domain(zone), { lastSyncError: /API key/ })
  zone.fake.fail({ on: 'read', kind: 'cut' })
  t.match(await sync(zone), { status: 200, body: { unchanged: 1 } }, 'half an answer is asked for again')
  t.match(await domain(zone), { lastSyncError: null, lastSyncedAt: String })
  zone.fake.deleteZone('example.com')
  t.match(await sync(zone, '?force=true'), { status: 502, body: { code: 'provider_error' } })
  t.match(await domain(zone), { recordCount: 1, lastSyncError: /does not have this zone/ })
})

void t.test('changes made while the provider is read stay', async (t) => {
  const zone = await startZone(t, { app })
  const old = await zone.add('A', 'old', '192.0.2.1')
  const updated = await zone.add('A', 'updated', '192.0.2.1')
  await zone.add('A', 'kept', '192.0.2.1')
  // The answer of a moment ago, which arrives after the changes were made.
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const until = () => {
    ask()
    return answered
  }
  zone.fake.fail({ kind: 'late', on: 'read', until })
  const syncing = sync(zone, '?force=true')
  await asked
  await zone.add('A', 'new', '192.0.2.1')
  await zone.admin.delete(`${zone.url}/${old.id}`)
  await zone.admin.put(`${zone.url}/${updated.id}`, { value: '192.0.2.2' })
  answer()
  t.match(await syncing, { status: 200, body: { created: 0, updated: 0, deleted: 0 } })
  t.same(await zone.here(), ['kept A 192.0.2.1', 'new A 192.0.2.1', 'updated A 192.0.2.2'])
})
