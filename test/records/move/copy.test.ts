import t from 'tap'
import { addPowerDns, contentsAt, startFake, startZone } from '../../helpers/zone.ts'
import { isWrite } from '../../conformance/simulators/server.ts'
import { refusalsOf, startHosts, warningsOf } from './hosts.ts'

/* The records of a domain are brought to other providers, as far as these can hold them. */

const zone = await startZone(t)
const { admin, domainId, fake } = zone
const hosts = await startHosts(t, admin)
const copy = (providerConfigId: string, more: object = {}) =>
  admin.post(`/api/domains/${domainId}/copy`, { providerConfigId, ...more })

fake.patch('example.com', [
  {
    name: 'www.example.com.',
    type: 'LUA',
    ttl: 60,
    changetype: 'REPLACE',
    records: [{ content: 'A "ifportup(443, {\'192.0.2.1\'})"', disabled: false }],
  },
])
await admin.post(`/api/domains/${domainId}/sync`)
const ids = new Map<string, string>()
const add = async (type: string, name: string, value: string, more: object = {}) =>
  ids.set(`${name} ${type}`, (await zone.add(type, name, value, more)).id)
await add('NS', '@', 'ns1.old.example.net')
await add('A', 'www', '192.0.2.1', { ttl: 60 })
await add('A', 'www', '192.0.2.2', { ttl: 60 })
await add('A', 'shop', '192.0.2.3', { comment: 'of the shop' })
await add('MX', '@', '10 mail.example.net')
await add('TXT', '@', 'v=spf1 -all')
await add('TLSA', '_443._tcp.www', `3 1 1 ${'ab'.repeat(32)}`)
await add('HTTPS', 'www', '1 . alpn=h2')
await add('ALIAS', 'old', 'lb.example.net')
await add('A', 'off', '192.0.2.4', { enabled: false })
const writes = (requests: typeof fake.requests) => requests.filter(isWrite).length

void t.test('records that a provider does not support are listed, and nothing is copied', async (t) => {
  const config = hosts.ids.digitalocean
  const lacking = [
    '_443._tcp.www TLSA: type_unsupported',
    'off A: disabling_unsupported',
    'old ALIAS: type_unsupported',
    'www HTTPS: type_unsupported',
    'www LUA: unmanaged',
  ]
  const target = hosts.digitalocean.createZone('example.com')
  const dry = await copy(config, { dryRun: true })
  t.match(dry, { status: 200, body: { plan: { applied: false, changeId: null }, zoneId: 'example.com' } })
  t.same(refusalsOf(dry.body.plan.conflicts), lacking)
  const tlsa = dry.body.plan.conflicts.find(
    ({ params }: { params: { recordType: string } }) => params.recordType === 'TLSA',
  )
  t.match(tlsa, { recordId: ids.get('_443._tcp.www TLSA'), detail: /_443\._tcp\.www TLSA .*DigitalOcean/ })
  const refused = await copy(config)
  t.match(refused, { status: 409, body: { code: 'conflict', detail: /5 of the records.*skipRefused/ } })
  t.same(refusalsOf(refused.body.conflicts), lacking)
  t.equal(writes(hosts.digitalocean.requests), 0)

  const done = await copy(config, { skipRefused: true })
  t.match(done, { status: 200, body: { plan: { applied: true }, failed: { length: 0 } } })
  t.same(refusalsOf(done.body.plan.conflicts), lacking, 'what is left out')
  const types = target.records
    .filter(({ type, name }) => name !== '@' || type !== 'NS')
    .map(({ type }) => type)
  t.same(types.sort(), ['A', 'A', 'A', 'MX', 'SOA', 'TXT'])
  const again = await copy(config, { skipRefused: true })
  t.match(
    again.body.plan,
    { creates: { length: 0 }, updates: { length: 0 }, deletes: { length: 0 }, applied: false },
    'nothing is left to do',
  )
})

void t.test('TTLs change to supported ones, with a warning', async (t) => {
  const config = hosts.ids.desec
  t.match(await copy(config), {
    status: 400,
    body: { errors: [{ path: '/providerConfigId', code: 'zone_missing' }] },
  })
  const asked = { createZone: true, skipRefused: true }
  const dry = await copy(config, { ...asked, dryRun: true })
  t.match(dry, { status: 200, body: { zoneId: null, plan: { applied: false } } })
  t.same(warningsOf(dry), { apex_ns_left_out: 1, ttl_brought: 2 })
  t.match(dry.body.plan.warnings, [{}, { code: 'ttl_brought', params: { to: 3600 } }])
  t.equal(writes(hosts.desec.requests), 0, 'not even the zone was made')

  const done = await copy(config, asked)
  t.match(done, { status: 200, body: { plan: { applied: true } } })
  t.same(
    refusalsOf(done.body.plan.conflicts).map((refusal) => refusal.split(':')[0]),
    ['off A', 'old ALIAS', 'www LUA'],
  )
  const shop = done.body.plan.creates.find(({ after }: { after: { name: string } }) => after.name === 'shop')
  t.match(shop, { recordId: ids.get('shop A'), before: null, after: { ttl: 3600, comment: 'of the shop' } })
  t.match((await copy(config, asked)).body.plan, {
    creates: { length: 0 },
    updates: { length: 0 },
    applied: false,
  })
  const { body } = await admin.get('/api/audit?limit=2')
  t.match(body.entries, [
    { action: 'domain.copied', target: { id: domainId }, after: { created: 7, failed: 0, leftOut: 3 } },
    { action: 'domain.zone_created', after: { providerConfigId: config } },
  ])
})

void t.test('comments are copied if the provider stores them', async (t) => {
  const target = hosts.cloudflare.createZone('example.com')
  const done = await copy(hosts.ids.cloudflare, { skipRefused: true })
  t.match(done, { status: 200, body: { zoneId: target.id, plan: { applied: true } } })
  t.match(
    target.records.find(({ name }) => name === 'shop.example.com'),
    { comment: 'of the shop', ttl: 300 },
  )
  t.match((await copy(hosts.ids.cloudflare, { skipRefused: true })).body.plan, {
    creates: { length: 0 },
    updates: { length: 0 },
  })
})

void t.test('records at the target stay unless replaced', async (t) => {
  const other = await startFake(t)
  other.createZone('example.com')
  const rrset = (name: string, type: string, contents: string[]) => ({
    name,
    type,
    ttl: 900,
    changetype: 'REPLACE',
    records: contents.map((content) => ({ content, disabled: false })),
  })
  other.patch('example.com', [
    rrset('example.com.', 'NS', ['ns1.new.example.net.']),
    rrset('www.example.com.', 'A', ['192.0.2.1', '198.51.100.9']),
    rrset('shop.example.com.', 'CNAME', ['elsewhere.example.net.']),
    rrset('beside.example.com.', 'A', ['198.51.100.8']),
    rrset('www.example.com.', 'LUA', ['A "\'192.0.2.1\'"']),
  ])
  const config = await addPowerDns(admin, other, 'new')
  const dry = await copy(config, { dryRun: true })
  t.same(refusalsOf(dry.body.plan.conflicts), ['shop A: cname_alone'])
  t.same(warningsOf(dry), { apex_ns_left_out: 1, kept_there: 3, ttl_aligned: 1 })
  t.match(await copy(config, { skipRefused: true }), {
    status: 200,
    body: { plan: { deletes: { length: 0 } } },
  })
  const at = (name: string, type: string) => contentsAt(other, 'example.com', name, type)
  t.same(at('www', 'A'), ['192.0.2.1', '192.0.2.2', '198.51.100.9'])
  t.same(at('@', 'NS'), ['ns1.new.example.net.'])

  const replaced = await copy(config, { mode: 'replace' })
  t.match(replaced, { status: 200, body: { plan: { applied: true, deletes: { length: 3 } } } })
  t.same(at('www', 'A'), ['192.0.2.1', '192.0.2.2'])
  t.same(at('beside', 'A'), [])
  t.same(at('shop', 'A'), ['192.0.2.3'])
  t.same(at('@', 'NS'), ['ns1.new.example.net.'])
  const off = other.dump('example.com').find(({ name }) => name === 'off.example.com.')
  t.match(off, { records: [{ content: '192.0.2.4', disabled: true }] })
  t.match((await copy(config, { mode: 'replace' })).body.plan, {
    creates: { length: 0 },
    deletes: { length: 0 },
    applied: false,
  })
})

void t.test('another copy continues after a failure', async (t) => {
  const other = await startFake(t)
  other.createZone('example.com')
  const config = await addPowerDns(admin, other, 'failing')
  other.fail({ on: 'write', kind: 'cut', times: 1 })
  const cut = await copy(config, { skipRefused: true })
  t.match(cut, { status: 502, body: { detail: /start another copy/ } })
  t.match(await copy(config, { skipRefused: true }), { status: 200 })
  t.same(contentsAt(other, 'example.com', 'www', 'A'), ['192.0.2.1', '192.0.2.2'])
  t.match((await admin.get(`/api/domains/${domainId}`)).body, { providerConfigId: zone.configId })
})
