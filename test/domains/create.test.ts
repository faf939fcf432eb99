import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, addManual, addPowerDns, MANUAL, POWERDNS, startFake } from '../helpers/zone.ts'

const { admin, addUser, signIn, database } = await startApp(t)
await addUser('ada')
const ada = await signIn('ada')
const fake = await startFake(t)
const manual = await addManual(admin)
const powerdns = await addPowerDns(admin, fake)

const create = (name: string, more: object = {}) =>
  admin.post('/api/domains', { name, providerConfigId: manual, ...more })

void t.test('with defaults', async (t) => {
  const answer = await create('Plain.Example.')
  t.match(answer, { status: 201, headers: { location: `/api/domains/${answer.body.id}` } })
  t.match(answer.body, {
    name: 'plain.example',
    unicodeName: 'plain.example',
    providerId: MANUAL,
    providerConfigId: manual,
    expiresAt: null,
    status: 'active',
    groupName: '',
    tags: { length: 0 },
    recordCount: 0,
    expiryRemindDays: [30, 14, 7, 1],
    autoCheckExpiry: false,
    ownerId: admin.userId,
    notes: '',
    nameServers: { length: 0 },
    registrar: null,
    expirySource: null,
    expiryCheckedAt: null,
    lastSyncedAt: null,
    lastSyncError: null,
    defaultTtl: 3600,
    access: 'owner',
  })
  t.match(answer.body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.same((await admin.get(`/api/domains/${answer.body.id}`)).body, answer.body)
  const trail = await database.db
    .selectFrom('audit')
    .selectAll()
    .where('target_id', '=', answer.body.id)
    .execute()
  t.match(trail, [{ action: 'domain.created', actor_id: admin.userId, target_name: 'plain.example' }])
})

void t.test('with everything', async (t) => {
  const answer = await create('full.example', {
    expiresAt: '2031-05-06T07:08:09+02:00',
    groupName: 'production',
    tags: ['web', ' web ', 'shop'],
    notes: 'bought\nfrom somebody',
    expiryRemindDays: [1, 60, 7],
    autoCheckExpiry: true,
    defaultTtl: 120,
  })
  t.match(answer, {
    status: 201,
    body: {
      expiresAt: '2031-05-06T05:08:09.000Z',
      expirySource: 'manual',
      groupName: 'production',
      tags: ['web', 'shop'],
      notes: 'bought\nfrom somebody',
      expiryRemindDays: [60, 7, 1],
      autoCheckExpiry: true,
      defaultTtl: 120,
    },
  })
})

void t.test('international names are kept in punycode and shown in both forms', async (t) => {
  const answer = await create('MÜNCHEN.Example')
  const names = { name: 'xn--mnchen-3ya.example', unicodeName: 'münchen.example' }
  t.match(answer, { status: 201, body: names })
  for (const search of ['münchen', 'ÜNCH', 'xn--mn']) {
    const { body } = await admin.get(`/api/domains?search=${encodeURIComponent(search)}`)
    t.match(body, { total: 1, domains: [names] }, search)
  }
  t.match(await create('xn--mnchen-3ya.example'), { status: 409 }, 'the same name in its other form')
})

void t.test('names that are none', async (t) => {
  const names = [
    'com',
    'co.uk',
    'localhost',
    '192.0.2.1',
    '2001:db8::1',
    'a..example',
    '-a.example',
    'a b.example',
    '*.example.com',
    '_dmarc.example.com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    'example.123',
    'https://example.com',
    "x';drop table domains;--.example",
    'xn--a.example',
  ]
  for (const name of names) {
    t.match(await create(name), { status: 400, body: { errors: [{ path: '/name' }] } }, name)
  }
  for (const name of ['a.co.uk', 'sub.a.co.uk', 'corp.internal', '2.0.192.in-addr.arpa', 'a-b.example']) {
    t.match(await create(name), { status: 201, body: { name } }, name)
  }
})

void t.test('fields that are wrong are named', async (t) => {
  const wrong: [string, unknown][] = [
    ['expiresAt', 'tomorrow'],
    ['expiresAt', '2030-02-30T00:00:00Z'],
    ['expiresAt', '2030-12-31T23:59:60Z'],
    ['expiresAt', '0000-01-01T00:00:00Z'],
    ['expiresAt', 5],
    ['groupName', null],
    ['groupName', 'a\u0007'],
    ['groupName', 'g'.repeat(101)],
    ['tags', 'web'],
    ['notes', 7],
    ['expiryRemindDays', Array.from({ length: 11 }, (_, i) => i)],
    ['expiryRemindDays', [3, 3]],
    ['autoCheckExpiry', 'true'],
    ['defaultTtl', 0],
    ['defaultTtl', '300'],
    ['defaultTtl', 2 ** 31],
    ['createZone', 1],
    ['providerConfigId', 'manual'],
  ]
  for (const [field, value] of wrong) {
    const answer = await create('wrong.example', { [field]: value })
    t.match(answer, { status: 400, body: { errors: [{ path: `/${field}` }] } }, `${field} ${String(value)}`)
  }
  const members: [string, unknown][] = [
    ['/tags/0', { tags: [''] }],
    ['/tags/0', { tags: ['  '] }],
    ['/tags/0', { tags: ['t'.repeat(51)] }],
    ['/expiryRemindDays/0', { expiryRemindDays: [366] }],
    ['/expiryRemindDays/1', { expiryRemindDays: [1, -1] }],
    ['/expiryRemindDays/0', { expiryRemindDays: [1.5] }],
  ]
  for (const [path, more] of members) {
    const answer = await create('wrong.example', more as object)
    t.match(answer, { status: 400, body: { errors: [{ path }] } }, JSON.stringify(more))
  }
  t.match(await admin.post('/api/domains', {}), { status: 400 })
  t.match(await admin.get('/api/domains?search=wrong.example'), { body: { total: 0 } })
})

void t.test('a configuration that is not the own is none', async (t) => {
  const code = 'unknown_provider_config'
  for (const providerConfigId of [manual, powerdns, '0192f0a0-0000-7000-8000-0000000000ff']) {
    const answer = await ada.post('/api/domains', { name: 'foreign.example', providerConfigId })
    t.match(answer, { status: 400, body: { errors: [{ path: '/providerConfigId', code }] } })
  }
  const own = await addManual(ada)
  const domain = await addDomain(ada, own, 'foreign.example')
  t.match(domain, { ownerId: ada.userId })
  const theirs = await admin.post('/api/domains', { name: 'for-ada.example', providerConfigId: own })
  t.match(theirs, { status: 201 }, 'administrators may use all')
})

void t.test('one name once for each configuration', async (t) => {
  t.match(await create('twice.example'), { status: 201 })
  const again = await create('TWICE.example')
  t.match(again, { status: 409, body: { code: 'conflict', errors: [{ path: '/name' }] } })
  const answers = await Promise.all(Array.from({ length: 5 }, () => create('race.example')))
  t.same(answers.map(({ status }) => String(status)).sort(), ['201', '409', '409', '409', '409'])
  const other = await addManual(admin, 'second')
  t.match(await create('twice.example', { providerConfigId: other }), { status: 201 })
})

void t.test('at PowerDNS: the zone must be there, or is made', async (t) => {
  const at = (name: string, more: object = {}) => create(name, { providerConfigId: powerdns, ...more })
  const missing = await at('zone.example')
  t.match(missing, { status: 400, body: { errors: [{ path: '/name', code: 'zone_missing' }] } })
  await admin.put(`/api/provider-configs/${powerdns}`, { nameServers: ['ns1.example.net'] })
  t.match(await at('zone.example', { createZone: true }), { status: 201, body: { providerId: POWERDNS } })
  t.same(fake.zoneNames(), ['zone.example'])
  fake.createZone('ready.example')
  t.match(await at('ready.example'), { status: 201 })
  t.match(await at('ready.example', { createZone: true }), { status: 409 })
})

void t.test('a provider that fails is no missing zone', async (t) => {
  const at = () => create('down.example', { providerConfigId: powerdns, createZone: true })
  const before = fake.zoneNames()
  fake.fail({ kind: 'answer', answer: { status: 500 }, times: Infinity })
  t.match(await at(), { status: 502, body: { code: 'provider_error' } })
  fake.heal()
  fake.fail({ kind: 'garble', body: '[', times: Infinity })
  t.match(await at(), { status: 502, body: { code: 'provider_error' } })
  fake.heal()
  fake.fail({ kind: 'answer', answer: { status: 401, body: 'secret details' } })
  const refused = await at()
  t.match(refused, { status: 502, body: { code: 'provider_auth_failed' } })
  t.notMatch(JSON.stringify(refused.body), /secret details/)
  t.same(fake.zoneNames(), before)
  t.match(await admin.get('/api/domains?search=down.example'), { body: { total: 0 } })
})

void t.test('all that is wrong comes in one answer, whoever finds it', async (t) => {
  const unknown = '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'
  const answer = await create('-bad-.example', { providerConfigId: unknown, defaultTtl: 'x' })
  t.match(answer, { status: 400, body: { code: 'validation_failed' } })
  const paths = (answer.body.errors as { path: string }[]).map(({ path }) => path)
  t.same(paths.sort(), ['/defaultTtl', '/name', '/providerConfigId'])
  t.match(await create('-bad-.example', { providerConfigId: unknown }), {
    status: 400,
    body: { errors: [{ path: '/name' }, { path: '/providerConfigId', code: 'unknown_provider_config' }] },
  })
  const { id } = await addDomain(admin, manual, 'one-answer.example')
  const change = { name: 'other.example', tags: 'x', notes: 'y' }
  t.match(await admin.put(`/api/domains/${id}`, change), {
    status: 400,
    body: {
      errors: [
        { path: '/tags', code: 'type' },
        { path: '/name', code: 'fixed' },
      ],
    },
  })
  t.equal((await ada.put(`/api/domains/${id}`, change)).status, 404, 'a stranger')
})
