import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { idOf, POWERDNS } from '../helpers/zone.ts'
import { callApi } from '../conformance/subjects/powerdns-subject.ts'
import { startPowerDns } from './powerdns.ts'

/* Disabled records of a real PowerDNS: taken, kept beside changes, disabled and enabled from here. */
const [{ admin }, server] = await Promise.all([startApp(t), startPowerDns()])
t.teardown(() => server.close())

const config = await admin.post('/api/provider-configs', {
  providerId: POWERDNS,
  name: 'PowerDNS',
  credentials: { apiUrl: server.apiUrl, apiKey: server.apiKey },
  nameServers: ['ns1.example.net', 'ns2.example.net'],
})
const domain = await admin.post('/api/domains', {
  name: 'example.com',
  providerConfigId: idOf(config),
  createZone: true,
})
const domainId = idOf(domain)
const url = `/api/domains/${domainId}/records`
const sync = () => admin.post(`/api/domains/${domainId}/sync`)

/** What the server holds of an RRset; disabled contents begin with "-". */
async function held(name: string, type: string): Promise<string[]> {
  const { body } = await callApi(server, 'GET', '/zones/example.com.')
  const { rrsets } = JSON.parse(body) as {
    rrsets: { name: string; type: string; records: { content: string; disabled: boolean }[] }[]
  }
  const found = rrsets.find((rrset) => rrset.name === `${name}.example.com.` && rrset.type === type)
  return (found?.records ?? []).map(({ content, disabled }) => `${disabled ? '-' : ''}${content}`).sort()
}

const find = async (value: string): Promise<{ id: string; enabled: boolean }> => {
  const { body } = await admin.get(`${url}?search=www`)
  return (body.records as { id: string; value: string; enabled: boolean }[]).find(
    (record) => record.value === value,
  ) as { id: string; enabled: boolean }
}

void t.test('a disabled record is taken, and kept beside changes', async (t) => {
  const records = [
    { content: '192.0.2.1', disabled: false },
    { content: '192.0.2.2', disabled: true },
  ]
  const rrset = { name: 'www.example.com.', type: 'A', ttl: 300, changetype: 'REPLACE', records }
  t.match(await callApi(server, 'PATCH', '/zones/example.com.', { rrsets: [rrset] }), { status: 204 })
  t.match(await sync(), { status: 200, body: { created: 2 } })
  t.match([await find('192.0.2.1'), await find('192.0.2.2')], [{ enabled: true }, { enabled: false }])

  const added = await admin.post(url, { recordType: 'A', name: 'www', value: '192.0.2.3' })
  t.equal(added.status, 201)
  const { id } = await find('192.0.2.1')
  t.match(await admin.put(`${url}/${id}`, { value: '192.0.2.4', ttl: 600 }), { status: 200 })
  t.same(await held('www', 'A'), ['-192.0.2.2', '192.0.2.3', '192.0.2.4'])
  t.same((await server.dig('www.example.com', 'A')).sort(), ['192.0.2.3', '192.0.2.4'])
  t.match(await sync(), { body: { created: 0, updated: 0, deleted: 0, unchanged: 5 } })
})

void t.test('disabled and enabled again', async (t) => {
  const { id } = await find('192.0.2.3')
  t.match(await admin.put(`${url}/${id}`, { enabled: false }), { status: 200, body: { enabled: false } })
  t.same(await server.dig('www.example.com', 'A'), ['192.0.2.4'])
  t.same(await held('www', 'A'), ['-192.0.2.2', '-192.0.2.3', '192.0.2.4'])
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=1`)
  const reverted = await admin.post(`/api/domains/${domainId}/changes/${body.changes[0].id}/revert`)
  t.match(reverted, { status: 200, body: { applied: true } })
  t.same((await server.dig('www.example.com', 'A')).sort(), ['192.0.2.3', '192.0.2.4'])
})

void t.test('addresses give way to an alias, and come back', async (t) => {
  const { body } = await admin.get(`${url}?search=www`)
  const off = (body.records as { id: string }[]).map(({ id }) => ({
    action: 'update',
    recordId: id,
    enabled: false,
  }))
  const alias = { action: 'create', recordType: 'CNAME', name: 'www', value: 'other.example.net' }
  const applied = await admin.post(`${url}/apply`, { changes: [...off, alias] })
  t.match(applied, { status: 200, body: { applied: true } })
  t.same(await server.dig('www.example.com', 'CNAME'), ['other.example.net.'])
  t.match(await sync(), { status: 200, body: { created: 0, updated: 0, deleted: 0 } })
  t.match(await admin.post(`/api/domains/${domainId}/changes/${applied.body.changeId}/revert`), {
    status: 200,
  })
  t.same((await server.dig('www.example.com', 'A')).sort(), ['192.0.2.3', '192.0.2.4'])
})
