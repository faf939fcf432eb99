import t from 'tap'
import { until } from '../../helpers/until.ts'
import { addManual, addPowerDns, contentsAt, idOf, startFake, startZone } from '../../helpers/zone.ts'
import { mirrorsOf } from './mirrors.ts'

/* Who may have mirrors, and whose zones they may be. */

const zone = await startZone(t)
const { admin, domainId, addUser, signIn } = zone
const url = `/api/domains/${domainId}`
const shared = await startFake(t)
shared.createZone('example.com')
shared.createZone('other.example')
await addUser('ada')
await addUser('bob')
const [ada, bob] = [await signIn('ada'), await signIn('bob')]
/** Both have an account at the same server. */
const adas = await addPowerDns(ada, shared, 'of ada')
const mirrors = mirrorsOf(zone)

await zone.add('A', 'www', '192.0.2.1')

void t.test('a connection of somebody else can not be used', async (t) => {
  const own = await ada.post('/api/domains', {
    name: 'ada.example',
    providerConfigId: await addManual(ada, 'hers'),
  })
  const foreign = await addPowerDns(bob, shared, 'of bob')
  t.match(await ada.post(`/api/domains/${idOf(own)}/mirrors`, { providerConfigId: foreign }), {
    status: 400,
    body: { errors: [{ code: 'unknown_provider_config' }] },
  })
})

void t.test('a zone has one domain: registered, or as a mirror', async (t) => {
  const taken = await addPowerDns(admin, shared, 'taken')
  const other = await admin.post('/api/domains', { name: 'other.example', providerConfigId: taken })
  const registered = { status: 409, body: { errors: [{ code: 'registered' }] } }
  const same = await admin.post('/api/domains', {
    name: 'other.example',
    providerConfigId: await addManual(admin, 'elsewhere'),
  })
  const mirrored = `/api/domains/${idOf(same)}/mirrors`
  t.match(await admin.post(mirrored, { providerConfigId: taken }), registered)
  idOf(other)

  const added = await admin.post(`${url}/mirrors`, { providerConfigId: taken })
  const id = idOf(added)
  await mirrors.inStep(id)
  const listed = async () => {
    const { body } = await admin.get(`/api/provider-configs/${taken}/zones`)
    const { name, registered: isDomain, domainId: of, mirrored: isMirror, mirrorOf } = body.zones[0]
    return { name, isDomain, of, isMirror, mirrorOf }
  }
  const unregistered = { name: 'example.com', isDomain: false, of: null }
  t.same(await listed(), { ...unregistered, isMirror: true, mirrorOf: domainId })
  const imported = await admin.post('/api/domains/import', {
    providerConfigId: taken,
    zones: ['example.com'],
  })
  t.match(imported.body.results, [{ success: false, domainId: null, problem: { reason: 'zone_mirrored' } }])
  const refused = { status: 409, body: { reason: 'zone_mirrored' } }
  t.match(await admin.post('/api/domains', { name: 'example.com', providerConfigId: taken }), refused)
  for (const what of ['copy', 'switch', 'mirrors'])
    t.match(await admin.post(`${url}/${what}`, { providerConfigId: taken }), refused, what)
  t.match(await admin.delete(`/api/provider-configs/${taken}`), { status: 409 })
  t.match(await admin.delete(`${url}/mirrors/${id}`), { status: 204 })
  t.same(contentsAt(shared, 'example.com', 'www', 'A'), ['192.0.2.1'], 'the zone stays')
  t.same(await listed(), { ...unregistered, isMirror: false, mirrorOf: null })
  await zone.add('A', 'later', '192.0.2.2')
  t.same(contentsAt(shared, 'example.com', 'later', 'A'), [])
})

void t.test('a zone that mirrors the domain of another says nothing of it', async (t) => {
  shared.createZone('adas.example')
  const config = await addPowerDns(ada, shared, 'mirrors')
  const own = idOf(
    await ada.post('/api/domains', {
      name: 'adas.example',
      providerConfigId: await addManual(ada, 'adas'),
    }),
  )
  const id = idOf(await ada.post(`/api/domains/${own}/mirrors`, { providerConfigId: config }))
  const seen = async (client = ada) => {
    const { body } = await client.get(`/api/provider-configs/${config}/zones`)
    const found = body.zones.find(({ name }: { name: string }) => name === 'adas.example')
    return [found.mirrored, found.mirrorOf]
  }
  t.same(await seen(), [true, own])
  t.same(await seen(admin), [true, own])
  // As if the domain were given to Bob, while the connection stays hers.
  await zone.database.db.updateTable('domains').set({ owner_id: bob.userId }).where('id', '=', own).execute()
  t.same(await seen(), [true, null])
  const assign = (subdomainPattern: string) =>
    admin.post('/api/assignments', {
      userId: ada.userId,
      domainId: own,
      permission: 'read',
      subdomainPattern,
    })
  t.equal((await assign('www')).status, 201)
  t.same(await seen(), [true, null], 'not for a part of it')
  t.equal((await assign('*')).status, 201)
  t.same(await seen(), [true, own])
  const imported = await ada.post('/api/domains/import', {
    providerConfigId: config,
    zones: ['adas.example'],
  })
  t.match(imported.body.results, [{ success: false }])
  await zone.database.db.updateTable('domains').set({ owner_id: ada.userId }).where('id', '=', own).execute()
  t.match(await ada.delete(`/api/domains/${own}/mirrors/${id}`), { status: 204 })
})

void t.test('a user whose name overlaps with the domain of another proves control first', async (t) => {
  const manual = await addManual(ada, 'first')
  const own = idOf(await ada.post('/api/domains', { name: 'sub.of.ada.test', providerConfigId: manual }))
  idOf(
    await admin.post('/api/domains', {
      name: 'of.ada.test',
      providerConfigId: await addManual(admin, 'above'),
    }),
  )
  const body = { providerConfigId: adas, createZone: true }
  await ada.put(`/api/provider-configs/${adas}`, { nameServers: ['ns1.example.net'] })
  const answer = await ada.post(`/api/domains/${own}/mirrors`, body)
  t.match(answer, { status: 403, body: { reason: 'name_proof_required' } })
  t.notOk(shared.zoneNames().includes('sub.of.ada.test'), 'no zone was created')
})

void t.test(
  'delegates of a part see no mirrors, and those of the whole may sync but not promote',
  async (t) => {
    const config = await addPowerDns(admin, shared, 'again')
    const id = idOf(await admin.post(`${url}/mirrors`, { providerConfigId: config }))
    await mirrors.inStep(id)
    await admin.post('/api/assignments', {
      userId: ada.userId,
      domainId,
      permission: 'write',
      subdomainPattern: 'www',
    })
    const one = `${url}/mirrors/${id}`
    t.match(await ada.get(`${url}/mirrors`), { status: 403 })
    for (const what of ['compare', 'sync', 'promote'])
      t.match(await ada.post(`${one}/${what}`, {}), { status: 403 }, what)
    t.match(await bob.get(`${url}/mirrors`), { status: 404 })
    await admin.post('/api/assignments', { userId: bob.userId, domainId, permission: 'write' })
    t.match(await bob.get(`${url}/mirrors`), { status: 200, body: { mirrors: [{ id, state: 'in_step' }] } })
    t.match(await bob.post(`${one}/sync`), { status: 200 })
    t.match(await bob.post(`${one}/promote`, {}), { status: 403 })
    t.match(await bob.delete(one), { status: 403 })
    await ada.post(zone.url, { recordType: 'A', name: 'www', value: '192.0.2.9', ttl: 300 })
    await until('the change of a delegate', () => contentsAt(shared, 'example.com', 'www', 'A').length === 2)
    const { body } = await admin.get('/api/audit?limit=50')
    const actions = new Set((body.entries as { action: string }[]).map(({ action }) => action))
    t.ok(actions.has('domain.mirror_added') && actions.has('domain.mirror_removed'))
  },
)
