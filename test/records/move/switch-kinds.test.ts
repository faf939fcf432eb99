import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { addDomain, addManual, addPowerDns, contentsAt, idOf, startFake } from '../../helpers/zone.ts'
import { ManySets } from '../../conformance/simulators/many-sets.ts'
import { refusalsOf, startHosts, warningsOf } from './hosts.ts'

/* Moving between kinds that have more, and less, beside records than others. */

const many = new ManySets()
const { admin, database } = await startApp(t, { providers: [many.provider] })
const hosts = await startHosts(t, admin)
const manySets = idOf(
  await admin.post('/api/provider-configs', { providerId: many.provider.id, name: 'many' }),
)
const fake = await startFake(t)
const powerdns = await addPowerDns(admin, fake)

const moving = (id: string) => ({
  copy: (providerConfigId: string, more: object = {}) =>
    admin.post(`/api/domains/${id}/copy`, { providerConfigId, ...more }),
  move: (providerConfigId: string, more: object = {}) =>
    admin.post(`/api/domains/${id}/switch`, { providerConfigId, ...more }),
  records: async () => (await admin.get(`/api/domains/${id}/records?limit=100`)).body.records,
})

void t.test('routing, provider settings and TTLs of single records', async (t) => {
  const europe = { key: 'eu', region: 'eu-west-1' }
  const member = { ttl: null, comment: 'c', extra: { tags: ['a'] } }
  many.put(
    { name: 'www', type: 'A', ttl: null, routing: europe, members: [{ ...member, value: '192.0.2.1' }] },
    {
      name: 'two',
      type: 'A',
      ttl: null,
      members: [
        { ...member, value: '192.0.2.2', ttl: 600 },
        { value: '192.0.2.3', ttl: 60, comment: '' },
      ],
    },
    { name: 'auto', type: 'A', ttl: null, members: [{ value: '192.0.2.4', ttl: null, comment: '' }] },
  )
  const { id } = await addDomain(admin, manySets, 'example.com', { defaultTtl: 1800 })
  t.match(await admin.get(`/api/domains/${id}`), { body: { recordCount: 4 } })
  const domain = moving(id)
  const dry = await domain.copy(powerdns, { createZone: true, dryRun: true })
  t.match(dry, { status: 400, body: { errors: [{ code: 'name_servers_missing' }] } })
  fake.createZone('example.com')
  const asked = await domain.copy(powerdns, { dryRun: true })
  t.same(refusalsOf(asked.body.plan.conflicts), ['www A: routing_unsupported'])
  t.same(warningsOf(asked), { settings_left_off: 1, ttl_aligned: 1, ttl_brought: 1 })
  t.match(await domain.copy(powerdns, { skipRefused: true }), {
    status: 200,
    body: { plan: { applied: true } },
  })
  const set = (name: string) =>
    fake.dump('example.com').find((rrset) => rrset.name === `${name}.example.com.`)
  t.match([set('two'), set('auto')], [{ ttl: 60 }, { ttl: 1800 }])
  const again = await domain.copy(powerdns, { skipRefused: true })
  t.match(again.body.plan, { creates: { length: 0 }, updates: { length: 0 }, applied: false })

  const before = await domain.records()
  t.match(await domain.move(powerdns), { status: 409, body: { code: 'confirmation_required' } })
  const moved = await domain.move(powerdns, { force: true })
  t.match(moved, { status: 200, body: { deleted: 1, dsToRemove: { length: 0 } } })
  const undone = await admin.post(`/api/domains/${id}/changes/${moved.body.changeId}/revert?dryRun=true`)
  const reasons = (undone.body.conflicts as { errors: { code: string }[] }[]).flatMap(({ errors }) =>
    errors.map(({ code }) => code),
  )
  t.same([...new Set(reasons)].sort(), ['routing_unknown', 'ttl_needed'], 'what the new one has no word for')
  const ids = (rows: { id: string; routing: unknown }[]) =>
    rows.flatMap((row) => (row.routing === null ? [row.id] : [])).sort()
  t.same(ids(await domain.records()), ids(before))
})

void t.test('from Cloudflare without its proxy, with a warning, and back', async (t) => {
  const cloud = hosts.cloudflare.createZone('proxied.example')
  cloud.post({ type: 'A', name: 'www.proxied.example', content: '192.0.2.1', ttl: 1, proxied: true })
  cloud.post({ type: 'A', name: 'tag.proxied.example', content: '192.0.2.2', ttl: 300, tags: ['a:b'] })
  cloud.post({ type: 'A', name: 'gone.proxied.example', content: '192.0.2.3', ttl: 300, tags: ['a:b'] })
  const { id } = await addDomain(admin, hosts.ids.cloudflare, 'proxied.example', { defaultTtl: 300 })
  await admin.post(`/api/domains/${id}/sync`)
  const domain = moving(id)
  const gone = (await domain.records()).find(({ name }: { name: string }) => name === 'gone')
  t.match(await admin.delete(`/api/domains/${id}/records/${gone.id}`), { status: 204 })
  const deletion = (await admin.get(`/api/domains/${id}/changes?limit=1`)).body.changes[0]
  const before = await domain.records()
  fake.createZone('proxied.example')
  const done = await domain.copy(powerdns)
  t.same(warningsOf(done), { proxy_left_off: 1, settings_left_off: 1, ttl_brought: 1 })
  t.same(contentsAt(fake, 'proxied.example', 'www', 'A'), ['192.0.2.1'])
  t.match(await domain.move(powerdns), { status: 200, body: { updated: 1, created: 0 } })
  const after = await domain.records()
  const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id).sort()
  t.same(idsOf(after), idsOf(before))
  const www = after.find(({ name }: { name: string }) => name === 'www')
  t.match(www, { proxied: false, ttl: 300 })
  t.match(await admin.put(`/api/domains/${id}/records/${www.id}`, { value: '192.0.2.9' }), { status: 200 })

  const undone = await admin.post(`/api/domains/${id}/changes/${deletion.id}/revert`)
  t.match(undone, { status: 200, body: { applied: true } })
  const { recordId } = undone.body.creates[0]
  const row = await database.db.selectFrom('records').select('extra').where('id', '=', recordId).execute()
  t.same(row, [{ extra: null }], 'without the tags that it had')

  t.match(await domain.move(hosts.ids.cloudflare), { status: 409, body: { conflicts: { length: 2 } } })
  t.match(await domain.copy(hosts.ids.cloudflare, { mode: 'replace' }), { status: 200 })
  const back = await domain.move(hosts.ids.cloudflare)
  t.match(back, { status: 200, body: { nameServers: { length: 2 } } })
  t.match(await admin.put(`/api/domains/${id}/records/${www.id}`, { value: '192.0.2.10' }), { status: 200 })
  t.match(
    cloud.records.find(({ name }) => name === 'www.proxied.example'),
    { content: '192.0.2.10' },
    'by the id that it has there',
  )
})

void t.test('settings at the target stay where the domain has none', async (t) => {
  fake.createZone('ready.example')
  const { id } = await addDomain(admin, powerdns, 'ready.example')
  const domain = moving(id)
  for (const name of ['www', 'plain'])
    await admin.post(`/api/domains/${id}/records`, { recordType: 'A', name, value: '192.0.2.1', ttl: 300 })
  await admin.post(`/api/domains/${id}/sync`)
  const cloud = hosts.cloudflare.createZone('ready.example')
  const ready = { type: 'A', content: '192.0.2.1', comment: 'theirs' }
  cloud.post({ ...ready, name: 'www.ready.example', ttl: 1, proxied: true })
  cloud.post({ ...ready, name: 'plain.ready.example', ttl: 600, tags: ['a:b'] })
  const done = await domain.copy(hosts.ids.cloudflare)
  t.match(done, { status: 200, body: { plan: { creates: { length: 0 }, updates: { length: 1 } } } })
  t.match(
    cloud.records.map(({ ttl, proxied, comment, tags }) => ({ ttl, proxied, comment, tags })),
    [
      { ttl: 1, proxied: true, comment: 'theirs' },
      { ttl: 300, proxied: false, comment: 'theirs', tags: ['a:b'] },
    ],
  )
  t.match(await domain.move(hosts.ids.cloudflare), { status: 200, body: { updated: 2 } })
  t.match(
    (await domain.records())
      .map(({ proxied, comment }: Record<string, unknown>) => [proxied, comment])
      .sort(),
    [
      [false, 'theirs'],
      [true, 'theirs'],
    ],
  )
})

void t.test('a change made while the target is read counts', async (t) => {
  const other = await startFake(t)
  for (const server of [fake, other]) server.createZone('busy.example')
  const config = await addPowerDns(admin, other, 'busy')
  const { id } = await addDomain(admin, powerdns, 'busy.example')
  await admin.post(`/api/domains/${id}/sync`)
  const { promise, resolve } = Promise.withResolvers<void>()
  const isListing = ({ path }: { path: string }) => path.endsWith('/busy.example.')
  other.fail({ on: isListing, kind: 'late', until: () => promise })
  const switched = moving(id).move(config)
  await until('the zone is read', () => other.requests.some(isListing))
  const record = { recordType: 'A', name: 'www', value: '192.0.2.1', ttl: 300 }
  t.match(await admin.post(`/api/domains/${id}/records`, record), { status: 201 })
  t.match(await admin.post(`/api/domains/${id}/sync`), { status: 409 }, 'and no sync goes on beside it')
  resolve()
  t.match(await switched, { status: 409, body: { conflicts: [{ code: 'missing_there' }] } })
  t.match((await admin.get(`/api/domains/${id}`)).body, { providerConfigId: powerdns })
})

void t.test('to a domain whose records are only here, and back', async (t) => {
  fake.createZone('kept.example')
  const { id } = await addDomain(admin, powerdns, 'kept.example')
  const domain = moving(id)
  for (const [recordType, name, value] of [
    ['A', 'www', '192.0.2.1'],
    ['NS', '@', 'ns1.example.net'],
  ])
    await admin.post(`/api/domains/${id}/records`, { recordType, name, value, ttl: 300 })
  await admin.post(`/api/domains/${id}/sync`)
  const before = await domain.records()
  const manual = await addManual(admin)
  t.match(await domain.copy(manual), { status: 400, body: { errors: [{ code: 'nothing_held' }] } })
  t.match(await domain.move(manual), {
    status: 200,
    body: { created: 0, updated: 0, deleted: 0, nameServers: { length: 0 }, dsToSet: null },
  })
  t.same(await domain.records(), before)
  await admin.post(`/api/domains/${id}/records`, { recordType: 'A', name: 'new', value: '192.0.2.2' })
  t.same(contentsAt(fake, 'kept.example', 'new', 'A'), [])
  t.match(await domain.copy(powerdns), { status: 200, body: { plan: { creates: { length: 1 } } } })
  t.match(await domain.move(powerdns), { status: 200, body: { nameServers: ['ns1.example.net'] } })
})
