import t from 'tap'
import netcup from '../../../modules/providers/adapters/netcup/index.ts'
import { startApp } from '../../helpers/app.ts'
import { addDomain, addPowerDns, startFake } from '../../helpers/zone.ts'
import dialect from '../../conformance/simulators/netcup.ts'
import { startSimulator } from '../../conformance/simulators/simulator.ts'
import { addConfig, warningsOf } from './hosts.ts'

/* Where all records of a zone have one TTL, which is changed at the provider alone. */

const { admin } = await startApp(t)
const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
const { apiUrl, customerNumber, apiKey, apiPassword } = sim
const config = await addConfig(admin, netcup, { apiUrl, customerNumber, apiKey, apiPassword })

void t.test('a domain has the TTL of its zone, and others are refused', async (t) => {
  sim.createZone('example.com', { ttl: 1800 })
  const domain = await addDomain(admin, config, 'example.com', { defaultTtl: 300 })
  t.match(domain, { defaultTtl: 1800 })
  const add = (more: object) =>
    admin.post(`/api/domains/${domain.id}/records`, {
      recordType: 'A',
      name: 'www',
      value: '192.0.2.1',
      ...more,
    })
  t.match(await add({}), { status: 201, body: { ttl: 1800 } })
  t.match(await add({ value: '192.0.2.2', ttl: 60 }), { status: 502, body: { detail: /which is 1800/ } })
})

void t.test('copied records get the TTL of the zone', async (t) => {
  const zone = sim.createZone('example.org', { ttl: 1800 })
  const powerdns = await startFake(t)
  powerdns.createZone('example.org')
  const { id } = await addDomain(admin, await addPowerDns(admin, powerdns), 'example.org')
  for (const [name, ttl] of Object.entries({ a: 60, b: 3600, c: 1800 })) {
    const record = { recordType: 'A', name, value: '192.0.2.1', ttl }
    t.equal((await admin.post(`/api/domains/${id}/records`, record)).status, 201)
  }
  await admin.post(`/api/domains/${id}/sync`)
  const done = await admin.post(`/api/domains/${id}/copy`, { providerConfigId: config })
  t.match(done, { status: 200, body: { plan: { applied: true }, failed: { length: 0 } } })
  t.same(warningsOf(done), { ttl_brought: 2 })
  t.equal(zone.records.length, 3)
  const moved = await admin.post(`/api/domains/${id}/switch`, { providerConfigId: config, force: true })
  t.match(moved, { status: 200 })
  t.match(await admin.get(`/api/domains/${id}`), { body: { defaultTtl: 1800 } })
})
