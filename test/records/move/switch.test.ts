import t from 'tap'
import { hear } from '../../helpers/events.ts'
import { addManual, addPowerDns, startFake, startZone, unsettled } from '../../helpers/zone.ts'
import { refusalsOf, startHosts } from './hosts.ts'

/* A domain goes to another provider, and stays what it is. */

const zone = await startZone(t)
const { admin, app, domainId, addUser, signIn } = zone
const url = `/api/domains/${domainId}`
const heard = hear(app, 'domain.switched')
const hosts = await startHosts(t, admin)
const copy = (providerConfigId: string, more: object = {}) =>
  admin.post(`${url}/copy`, { providerConfigId, ...more })
const move = (providerConfigId: string, more: object = {}) =>
  admin.post(`${url}/switch`, { providerConfigId, ...more })

interface Row {
  id: string
  name: string
  recordType: string
  value: string
  ttl: number
  version: number
}

const records = async (): Promise<Row[]> => (await admin.get(`${url}/records?limit=100`)).body.records
const idsByRecord = (rows: Row[]) =>
  Object.fromEntries(rows.map(({ id, name, recordType, value }) => [`${name} ${recordType} ${value}`, id]))

await zone.add('A', 'www', '192.0.2.1', { ttl: 60 })
await zone.add('A', 'shop', '192.0.2.3', { ttl: 7200, comment: 'of the shop' })
await zone.add('MX', '@', '10 mail.example.net', { ttl: 7200 })
await addUser('ada')
await admin.post('/api/assignments', {
  userId: (await signIn('ada')).userId,
  domainId,
  permission: 'write',
  subdomainPattern: 'www',
})

void t.test('missing records prevent a switch', async (t) => {
  hosts.desec.createZone('example.com').write('POST', [
    { subname: 'there', type: 'A', ttl: 3600, records: ['198.51.100.1'] },
    { subname: 'shop', type: 'A', ttl: 3600, records: ['192.0.2.3'] },
  ])
  // As where the provider could not be read when the domain was registered.
  const { db } = zone.database
  await db.updateTable('domains').set({ last_synced_at: null }).where('id', '=', domainId).execute()
  const refused = await move(hosts.ids.desec)
  t.match(refused, { status: 409, body: { code: 'confirmation_required', detail: /"force": true/ } })
  t.match(refused.body.conflicts[0], { code: 'never_synced', recordId: null })
  await admin.post(`${url}/sync`)
  t.same(refusalsOf((await move(hosts.ids.desec)).body.conflicts), [
    '@ MX: missing_there',
    'shop A: differs_there',
    'www A: missing_there',
  ])
  t.match((await admin.get(url)).body, { providerConfigId: zone.configId })
  t.match(await move(hosts.ids.cloudflare), { status: 400, body: { errors: [{ code: 'zone_missing' }] } })
  t.match(await move(zone.configId), { status: 400, body: { errors: [{ code: 'same_zone' }] } })
})

void t.test('after a copy the switch keeps ids, history, permissions and settings', async (t) => {
  await admin.put(url, { groupName: 'shops', defaultTtl: 300 })
  const before = idsByRecord(await records())
  t.match(await copy(hosts.ids.desec), { status: 200 })
  const moved = await move(hosts.ids.desec)
  t.match(moved, {
    status: 200,
    body: {
      domain: { id: domainId, providerConfigId: hosts.ids.desec, groupName: 'shops', defaultTtl: 3600 },
      created: 3,
      updated: 1,
      deleted: 0,
      nameServers: ['ns1.desec.io', 'ns2.desec.org'],
      dsToRemove: { length: 0 },
      dsToSet: [/^\d+ 13 2 /],
    },
  })
  const rows = await records()
  t.match(idsByRecord(rows), before)
  t.same(rows.map(({ name, ttl, version }) => `${name} ${ttl} v${version}`).sort(), [
    '@ 3600 v1',
    '@ 3600 v1',
    '@ 7200 v1',
    'shop 7200 v1',
    'there 3600 v1',
    'www 3600 v2',
  ])
  t.match(
    rows.find(({ name }) => name === 'shop'),
    { comment: 'of the shop' },
    'which stays here',
  )
  const { body } = await admin.get(`${url}/changes?limit=10`)
  t.match(body.changes[0], { id: moved.body.changeId, source: 'switch', status: 'applied', itemCount: 4 })
  t.equal(body.total, 4)
  t.match((await admin.get('/api/audit?limit=1')).body.entries, [
    {
      action: 'domain.switched',
      before: { providerConfigId: zone.configId },
      after: { providerConfigId: hosts.ids.desec },
    },
  ])
  t.match(await heard(), [{ payload: { metadata: { provider: 'deSEC', previousProvider: 'PowerDNS' } } }])
  t.match(await (await signIn('ada')).get(`${url}/records`), { body: { total: 1 } })
})

void t.test('later changes go to the new provider, and a sync finds nothing', async (t) => {
  const calls = zone.fake.requests.length
  t.match(await admin.post(`${url}/sync`), { status: 200, body: { created: 0, updated: 0, deleted: 0 } })
  await zone.add('A', 'new', '192.0.2.9', { ttl: 3600 })
  const held = hosts.desec.requests.filter(({ method }) => method !== 'GET')
  t.match(held.at(-1)?.body, /192\.0\.2\.9/)
  t.equal(zone.fake.requests.length, calls, 'the old server is left alone')
  t.same(zone.there('www', 'A'), ['192.0.2.1'], 'and keeps what it has')
})

void t.test('a zone of another domain and a foreign connection are refused', async (t) => {
  const config = await addPowerDns(admin, zone.fake, 'again')
  t.match(await admin.post('/api/domains', { name: 'example.com', providerConfigId: config }), {
    status: 201,
  })
  for (const ask of [copy, move])
    t.match(await ask(config), { status: 409, body: { errors: [{ code: 'registered' }] } })
  const ada = await signIn('ada')
  const foreign = { status: 400, body: { errors: [{ code: 'unknown_provider_config' }] } }
  const theirs = await admin.post('/api/domains', {
    name: 'ada.example',
    providerConfigId: await addManual(admin, 'hers'),
  })
  await admin.post(`/api/domains/${theirs.body.id}/transfer`, { userId: ada.userId })
  for (const what of ['copy', 'switch'])
    t.match(
      await ada.post(`/api/domains/${theirs.body.id}/${what}`, { providerConfigId: hosts.ids.desec }),
      foreign,
    )
})

void t.test('a pending change prevents a switch', async (t) => {
  const other = await startFake(t)
  other.createZone('example.com')
  const config = await addPowerDns(admin, other, 'unsettled')
  hosts.desec.fail({ on: 'write', kind: 'reset', applied: true })
  const pending = admin.post(`${url}/records`, {
    recordType: 'A',
    name: 'late',
    value: '192.0.2.7',
    ttl: 3600,
  })
  t.match(await pending, { status: 502 })
  t.not((await unsettled(zone))[0], 0)
  t.match(await move(config, { force: true }), { status: 409, body: { reason: 'changes_unsettled' } })
})
