import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { addDomain, addManual, addPowerDns, POWERDNS, startFake } from '../../helpers/zone.ts'
import type { SimulatorRequest } from '../../conformance/simulators/server.ts'

/* Zones that are made at the provider, and their SOA. */
const app = await startApp(t)
const { admin } = app
const fake = await startFake(t)
const credentials = { apiUrl: fake.url, apiKey: fake.apiKey }

const apexOf = (zone: string) =>
  Object.fromEntries(
    fake
      .dump(zone)
      .filter(({ name }) => name === `${zone}.`)
      .map(({ type, ttl, records }) => [type, { ttl, contents: records.map(({ content }) => content) }]),
  )

void t.test('a zone is made with the name servers and the hostmaster of its configuration', async (t) => {
  const config = await admin.post('/api/provider-configs', {
    providerId: POWERDNS,
    name: 'with name servers',
    credentials,
    nameServers: ['NS1.example.net.', 'ns2.example.net', 'ns1.example.net'],
    hostmaster: 'host.master@example.net',
  })
  t.match(config, {
    status: 201,
    body: { nameServers: ['ns1.example.net', 'ns2.example.net'], hostmaster: 'host.master@example.net' },
  })
  await addDomain(admin, config.body.id, 'made.example', { createZone: true })
  t.match(apexOf('made.example'), {
    NS: { ttl: 3600, contents: ['ns1.example.net.', 'ns2.example.net.'] },
    SOA: { contents: [/^ns1\.example\.net\. host\\\.master\.example\.net\. \d+ 10800 3600 1209600 3600$/] },
  })
  const changed = await admin.put(`/api/provider-configs/${config.body.id}`, { hostmaster: null })
  t.match(changed, {
    status: 200,
    body: { nameServers: ['ns1.example.net', 'ns2.example.net'], hostmaster: null },
  })
  await addDomain(admin, config.body.id, 'second.example', { createZone: true })
  t.match(apexOf('second.example')['SOA']?.contents, [/^ns1\.example\.net\. hostmaster\.second\.example\. /])
  const { body } = await admin.get('/api/audit?action=provider_config.updated')
  t.match(body.entries[0], {
    before: { hostmaster: 'host.master@example.net' },
    after: { hostmaster: null },
  })
})

void t.test('name servers and hostmaster are checked', async (t) => {
  const at = (more: object) =>
    admin.post('/api/provider-configs', { providerId: POWERDNS, name: 'checked', credentials, ...more })
  t.match(await at({ nameServers: ['ns1.example.net', '192.0.2.1', 'ns'], hostmaster: 'nobody' }), {
    status: 400,
    body: {
      errors: [
        { path: '/nameServers/1', message: /IP address/ },
        { path: '/nameServers/2', message: /full name/ },
        { path: '/hostmaster', message: /mail address/ },
      ],
    },
  })
})

void t.test('a zone that nobody could delegate to is not made', async (t) => {
  const providerConfigId = await addPowerDns(admin, fake, 'bare')
  const refused = await admin.post('/api/domains', {
    name: 'bare.example',
    providerConfigId,
    createZone: true,
  })
  t.match(refused, {
    status: 400,
    body: { errors: [{ path: '/createZone', message: /"nameServers" of the provider configuration bare/ }] },
  })
  t.notOk(fake.zoneNames().includes('bare.example'))
  const manual = await addManual(admin)
  await addDomain(admin, manual, 'bare.example', { createZone: true })
})

void t.test('the SOA is shown and changed', async (t) => {
  const providerConfigId = await addPowerDns(admin, fake, 'soa')
  fake.createZone('soa.example')
  const { id } = await addDomain(admin, providerConfigId, 'soa.example')
  const shown = await admin.get(`/api/domains/${id}/soa`)
  t.match(shown, {
    status: 200,
    body: {
      primary: 'a.misconfigured.dns.server.invalid',
      mail: 'hostmaster@soa.example',
      serial: Number,
      refresh: 10800,
      retry: 3600,
      expire: 604800,
      minimum: 3600,
      ttl: 3600,
    },
  })
  const input = { primary: 'ns1.example.net', mail: 'dns.team@example.net', minimum: 300, ttl: 7200 }
  const changed = await admin.put(`/api/domains/${id}/soa`, input)
  t.match(changed, { status: 200, body: { ...shown.body, ...input, serial: Number } })
  t.ok(changed.body.serial > shown.body.serial, 'secondaries see that it changed')
  t.match(apexOf('soa.example')['SOA'], {
    ttl: 7200,
    contents: [/^ns1\.example\.net\. dns\\\.team\.example\.net\. \d+ 10800 3600 604800 300$/],
  })
  t.match((await admin.get('/api/audit?action=domain.soa_changed')).body.entries[0], {
    before: { primary: 'a.misconfigured.dns.server.invalid' },
    after: { primary: 'ns1.example.net' },
    target: { name: 'soa.example' },
  })
  t.match(await admin.put(`/api/domains/${id}/soa`, { primary: 'x y', mail: 'nobody' }), {
    status: 400,
    body: { errors: [{ path: '/primary' }, { path: '/mail' }] },
  })
  const manual = await addDomain(admin, await addManual(admin, 'no SOA'), 'soa.example')
  t.match(await admin.get(`/api/domains/${manual.id}/soa`), { status: 404 })
  t.match(await admin.put(`/api/domains/${manual.id}/soa`, { ttl: 60 }), { status: 404 })
  t.match(await admin.get(`/api/domains/${manual.id}/dnssec`), { status: 404 })
  t.match(await admin.put(`/api/domains/${manual.id}/dnssec`, { signed: true }), { status: 404 })
})

void t.test('of several zones of one name each can be registered, by its id', async (t) => {
  const providerConfigId = await addPowerDns(admin, fake, 'twins')
  const zones = ['public', 'private'].map((id) => ({ id, name: 'twin.example.', kind: 'Slave' }))
  const isList = ({ path }: SimulatorRequest) => path.endsWith('/zones')
  fake.fail({ on: isList, times: Infinity, kind: 'garble', body: JSON.stringify(zones) })
  t.teardown(() => fake.heal())
  const create = (zoneId?: string) =>
    admin.post('/api/domains', { name: 'twin.example', providerConfigId, zoneId })
  t.match(await create(), {
    status: 400,
    body: {
      errors: [{ path: '/zoneId', code: 'several_zones', params: { zoneIds: ['public', 'private'] } }],
    },
  })
  t.match(await create('other'), {
    status: 400,
    body: { errors: [{ path: '/zoneId', code: 'zone_missing' }] },
  })
  t.match(await create('private'), { status: 201, body: { zoneId: 'private' } })
  t.match(await create('private'), { status: 409 })
  t.match(await create(), { status: 409 })
  const zoneIds = { 'twin.example': 'public' }
  t.match(await admin.post('/api/domains/import', { providerConfigId, zones: ['twin.example'], zoneIds }), {
    status: 200,
    body: { results: [{ zone: 'twin.example', domainId: String }] },
  })
  const listed = await admin.get(`/api/provider-configs/${providerConfigId}/zones`)
  t.match(listed.body.zones, [
    { id: 'private', name: 'twin.example', kind: 'secondary', registered: true },
    { id: 'public', name: 'twin.example', kind: 'secondary', registered: true },
  ])
})
