import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain } from '../helpers/zone.ts'
import { startBind, startKnot } from './name-servers.ts'
import { credentialsOf } from './rfc2136-subject.ts'

const { admin } = await startApp(t)

for (const startServer of [startBind, startKnot]) {
  const server = await startServer(5)
  t.teardown(() => server.close())
  void t.test(`by the service, at ${server.name}: from the configuration to the last record`, async (t) => {
    const [zone = ''] = server.zones
    const config = {
      providerId: '0192f0a0-0000-7000-8000-000000000003',
      name: server.name,
      credentials: credentialsOf(server, server.keyOf('all'), zone),
    }
    t.match(await admin.post('/api/provider-configs/test', config), { status: 200, body: { success: true } })
    const created = await admin.post('/api/provider-configs', config)
    t.match(created, { status: 201 })
    const { id } = created.body as { id: string }
    const { id: domainId } = await addDomain(admin, id, zone)
    const url = `/api/domains/${domainId}`
    const dig = async (name: string, type: string) =>
      (await server.dig('+short', '+tcp', `${name}${zone}`, type)).trim().split('\n').sort()

    const record = { recordType: 'A', name: 'www', value: '192.0.2.1', ttl: 300 }
    const first = await admin.post(`${url}/records`, record)
    t.match(first, { status: 201, body: { status: 'active' } })
    t.match(await admin.post(`${url}/records`, { ...record, value: '192.0.2.2' }), { status: 201 })
    t.same(await dig('www.', 'A'), ['192.0.2.1', '192.0.2.2'])
    const cname = { recordType: 'CNAME', name: 'www', value: 'x.example.net' }
    t.match(await admin.post(`${url}/records`, cname), { status: 409 })
    await server.nsupdate([`update add beside.${zone}. 300 TXT "theirs"`])
    t.match(await admin.post(`${url}/records`, { ...cname, name: 'beside' }), {
      status: 502,
      body: { code: 'provider_rejected', detail: /TXT/ },
    })
    // That: the name server of the zone was read when it was registered.
    t.match(await admin.post(`${url}/sync`, {}), { status: 200, body: { created: 1, deleted: 0 } })
    const zonefile =
      '$ORIGIN wide\n' + Array.from({ length: 120 }, (_, i) => `h${i} 300 A 10.0.0.${i}`).join('\n')
    t.match(await admin.post(`${url}/records/import`, { zonefile, mode: 'merge' }), { status: 200 })
    t.same(await dig('h119.wide.', 'A'), ['10.0.0.119'])
    const { id: recordId } = first.body as { id: string }
    t.match(await admin.delete(`${url}/records/${recordId}`), { status: 204 })
    t.same(await dig('www.', 'A'), ['192.0.2.2'])
  })
}
