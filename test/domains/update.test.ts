import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, addManual, addPowerDns, startFake } from '../helpers/zone.ts'

const { admin, addUser, signIn, database } = await startApp(t)
await addUser('ada')
const ada = await signIn('ada')
const config = await addManual(admin)
const DAY = 24 * 3600 * 1000
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

void t.test('settings change, what is not sent stays', async (t) => {
  const domain = await addDomain(admin, config, 'update.example', { tags: ['a'], expiresAt: inDays(100) })
  const url = `/api/domains/${domain.id}`
  const answer = await admin.put(url, { groupName: 'g', notes: 'n', defaultTtl: 60 })
  const now = { ...domain, groupName: 'g', notes: 'n', defaultTtl: 60, updatedAt: answer.body.updatedAt }
  t.same(answer.body, now)
  t.equal(answer.status, 200)
  t.match(await admin.put(url, { tags: ['b', 'b'], autoCheckExpiry: true }), {
    body: { tags: ['b'], autoCheckExpiry: true, groupName: 'g' },
  })
  t.match(await admin.put(url, { expiresAt: null }), {
    body: { expiresAt: null, expirySource: null, status: 'active' },
  })
  const { body } = await admin.get(url)
  t.match(
    await admin.put(url, body),
    { status: 200, body: { ...body, updatedAt: String } },
    'sent back whole',
  )
  const trail = await database.db
    .selectFrom('audit')
    .selectAll()
    .where('target_id', '=', domain.id)
    .orderBy('id')
    .execute()
  const update = trail.find(({ after }) => (after as { groupName?: string } | null)?.groupName === 'g')
  t.match(update, { action: 'domain.updated', before: { groupName: '' } }, 'the audit has the difference')
})

void t.test('name and configuration are for life', async (t) => {
  const domain = await addDomain(admin, config, 'fixed.example')
  const url = `/api/domains/${domain.id}`
  const other = await addManual(admin, 'other')
  const renamed = await admin.put(url, { name: 'other.example', notes: 'x' })
  t.match(renamed, { status: 400, body: { errors: [{ path: '/name', code: 'fixed' }] } })
  const moved = await admin.put(url, { providerConfigId: other })
  t.match(moved, { status: 400, body: { errors: [{ path: '/providerConfigId' }] } })
  t.match(await admin.put(url, { name: 'FIXED.example.', providerConfigId: config.toUpperCase() }), {
    status: 200,
  })
  t.match(await admin.put(url, {}), { status: 400 })
  t.match(await admin.put(url, { unknown: 1 }), { status: 400 })
  t.match(await admin.put(url, { defaultTtl: null }), {
    status: 400,
    body: { errors: [{ path: '/defaultTtl' }] },
  })
  t.match(await admin.get(url), { body: { notes: '' } })
})

void t.test('expiry and reminders', async (t) => {
  const { id } = await addDomain(admin, config, 'expiry.example')
  const url = `/api/domains/${id}`
  const expiresAt = inDays(40)
  const dated = await admin.put(`${url}/expiry`, { expiresAt })
  t.match(dated, { status: 200, body: { expiresAt, status: 'active', expirySource: 'manual' } })
  const reminded = await admin.put(`${url}/expiry-remind`, {
    expiryRemindDays: [7, 45],
    autoCheckExpiry: true,
  })
  t.match(reminded, {
    status: 200,
    body: { expiryRemindDays: [45, 7], autoCheckExpiry: true, status: 'expiring', expiresAt },
  })
  t.match(await admin.put(`${url}/expiry-remind`, { autoCheckExpiry: false }), {
    body: { expiryRemindDays: [45, 7], autoCheckExpiry: false, status: 'expiring' },
  })
  t.match(await admin.put(`${url}/expiry`, { expiresAt: null }), {
    body: { expiresAt: null, status: 'active' },
  })
  for (const body of [{}, { expiresAt: 'soon' }, { expiresAt: 17 }]) {
    t.match(await admin.put(`${url}/expiry`, body), { status: 400 }, JSON.stringify(body))
  }
  for (const body of [
    {},
    { expiryRemindDays: ['7'] },
    { expiryRemindDays: [400] },
    { expiryRemindDays: null },
  ]) {
    t.match(await admin.put(`${url}/expiry-remind`, body), { status: 400 }, JSON.stringify(body))
  }
})

void t.test('a date that was looked up stays one when it is sent back', async (t) => {
  const { id } = await addDomain(admin, config, 'lookup.example', { expiresAt: inDays(90) })
  await database.db.updateTable('domains').set({ expiry_source: 'rdap' }).where('id', '=', id).execute()
  const url = `/api/domains/${id}`
  const { body } = await admin.get(url)
  t.match(await admin.put(url, { ...body, notes: 'x' }), { body: { expirySource: 'rdap' } })
  t.match(await admin.put(url, { expiresAt: inDays(91) }), { body: { expirySource: 'manual' } })
})

void t.test('many at once: all or none', async (t) => {
  const one = await addDomain(admin, config, 'bulk-one.example', { expiresAt: inDays(50) })
  const two = await addDomain(admin, config, 'bulk-two.example')
  const foreign = await addDomain(ada, await addManual(ada), 'bulk-three.example')
  const set = { groupName: 'team', tags: ['x', ' x'], expiryRemindDays: [5, 60] }
  const ids = [one.id, two.id.toUpperCase()]
  t.same((await admin.put('/api/domains/bulk', { ids, set })).body, { updated: 2 })
  const changed = { groupName: 'team', tags: ['x'], expiryRemindDays: [60, 5] }
  t.match(await admin.get(`/api/domains/${one.id}`), { body: { ...changed, status: 'expiring' } })
  t.match(await admin.get(`/api/domains/${two.id}`), { body: { ...changed, status: 'active' } })
  const refused = await ada.put('/api/domains/bulk', {
    ids: [foreign.id, one.id],
    set: { groupName: 'mine' },
  })
  t.match(refused, { status: 404, body: { code: 'not_found' } })
  t.match(await ada.get(`/api/domains/${foreign.id}`), { body: { groupName: '' } })
  for (const body of [
    { ids: [], set },
    { ids: [one.id], set: {} },
    { ids: [one.id, one.id], set },
    { ids: ['x'], set },
    { ids: [one.id] },
    { ids: [one.id], set: { notes: 'not this one' } },
    { ids: [one.id], set: { tags: [''] } },
  ]) {
    t.match(await admin.put('/api/domains/bulk', body), { status: 400 }, JSON.stringify(body))
  }
})

void t.test('many at once: tags added and taken, automatic look-ups, each alone', async (t) => {
  const one = await addDomain(admin, config, 'tags-one.example', { tags: ['b', 'old', 'a'] })
  const two = await addDomain(admin, config, 'tags-two.example')
  const ids = [one.id, two.id]
  const change = (set: object) => admin.put('/api/domains/bulk', { ids, set })
  const tags = async () => [
    (await admin.get(`/api/domains/${one.id}`)).body.tags,
    (await admin.get(`/api/domains/${two.id}`)).body.tags,
  ]
  t.same((await change({ addTags: ['new', ' a'] })).body, { updated: 2 })
  t.same(await tags(), [
    ['b', 'old', 'a', 'new'],
    ['new', 'a'],
  ])
  t.match(await change({ removeTags: ['old', 'a'], addTags: ['last'] }), { status: 200 })
  t.same(await tags(), [
    ['b', 'new', 'last'],
    ['new', 'last'],
  ])
  const many = Array.from({ length: 49 }, (_, i) => `t${i}`)
  const refused = await change({ addTags: many })
  t.match(refused, { status: 400, body: { errors: [{ path: '/set/addTags' }] } })
  t.same(await tags(), [
    ['b', 'new', 'last'],
    ['new', 'last'],
  ])
  for (const autoCheckExpiry of [true, false]) {
    t.match(await change({ autoCheckExpiry }), { status: 200 })
    t.match(await admin.get(`/api/domains/${two.id}`), { body: { autoCheckExpiry } })
  }
})

void t.test('deleting: here, and at the provider only when asked', async (t) => {
  const fake = await startFake(t)
  const powerdns = await addPowerDns(admin, fake)
  for (const name of ['keep.example', 'drop.example', 'gone.example', 'stuck.example']) fake.createZone(name)
  const make = (name: string) => addDomain(admin, powerdns, name)
  const keep = await make('keep.example')
  await admin.post(`/api/domains/${keep.id}/records`, { recordType: 'A', name: 'w', value: '192.0.2.1' })
  t.match(await admin.delete(`/api/domains/${keep.id}`), { status: 204, body: '' })
  t.ok(fake.zoneNames().includes('keep.example'))
  t.match(await admin.get(`/api/domains/${keep.id}`), { status: 404 })
  t.same(await database.db.selectFrom('records').select('id').where('domain_id', '=', keep.id).execute(), [])

  const drop = await make('drop.example')
  t.match(await admin.delete(`/api/domains/${drop.id}?deleteZone=true`), { status: 204 })
  t.notOk(fake.zoneNames().includes('drop.example'))

  const gone = await make('gone.example')
  fake.deleteZone('gone.example')
  t.match(
    await admin.delete(`/api/domains/${gone.id}?deleteZone=true`),
    { status: 204 },
    'gone there already',
  )

  const stuck = await make('stuck.example')
  fake.fail({ kind: 'answer', answer: { status: 500 }, times: Infinity })
  const failed = await admin.delete(`/api/domains/${stuck.id}?deleteZone=true`)
  t.match(failed, { status: 502, body: { code: 'provider_error' } })
  t.match(await admin.get(`/api/domains/${stuck.id}`), { status: 200 }, 'nothing changed')
  t.match(await admin.delete(`/api/domains/${stuck.id}?deleteZone=yes`), { status: 400 })
  const trail = await database.db
    .selectFrom('audit')
    .selectAll()
    .where('target_id', '=', drop.id)
    .orderBy('id')
    .execute()
  t.match(trail.at(-1), { action: 'domain.deleted', before: { name: 'drop.example', zoneDeleted: true } })
})
