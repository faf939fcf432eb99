import t, { type Test } from 'tap'
import { startApp } from '../helpers/app.ts'
import { idOf, POWERDNS } from '../helpers/zone.ts'
import { callApi } from '../conformance/subjects/powerdns-subject.ts'
import { startPowerDns } from './powerdns.ts'

/* Values that came to a real PowerDNS since the zone was read: what a write says is what dig answers. */
const [{ admin, app }, server] = await Promise.all([startApp(t), startPowerDns()])
t.teardown(() => server.close())

const OLD = '198.51.100.7'
const rrset = (name: string, type: string, ...contents: string[]) => ({
  name: `${name}.example.com.`,
  type,
  ttl: 300,
  changetype: 'REPLACE',
  records: contents.map((content) => ({ content, disabled: false })),
})
const putThere = async (...rrsets: object[]) => {
  const { status } = await callApi(server, 'PATCH', '/zones/example.com.', { rrsets })
  if (status !== 204) throw new Error(`PATCH: ${status}`)
}
await callApi(server, 'POST', '/zones', {
  name: 'example.com.',
  kind: 'Native',
  nameservers: ['ns1.example.net.', 'ns2.example.net.'],
})

const config = await admin.post('/api/provider-configs', {
  providerId: POWERDNS,
  name: 'PowerDNS',
  credentials: { apiUrl: server.apiUrl, apiKey: server.apiKey },
})
const domainId = idOf(
  await admin.post('/api/domains', { name: 'example.com', providerConfigId: idOf(config) }),
)
const url = `/api/domains/${domainId}/records`
const names = ['dyn', 'set', 'file', 'one']
await putThere(...names.map((name) => rrset(name, 'A', OLD)))

/** dig, the list and the next look at the provider agree. */
async function agree(t: Test, name: string, values: string[]): Promise<void> {
  t.same((await server.dig(`${name}.example.com`, 'A')).sort(), values, 'dig')
  const { records } = (await admin.get(`${url}?search=${name}&type=A`)).body
  const here = (records as { name: string; value: string }[]).filter((record) => record.name === name)
  t.same(here.map(({ value }) => value).sort(), values, 'the list')
  const { difference } = (await admin.post(`/api/domains/${domainId}/sync?dryRun=true`)).body
  const found = Object.values(difference as Record<string, { name?: string; after?: { name: string } }[]>)
  const differing = found.flat().map((one) => one.name ?? one.after?.name)
  t.notOk(differing.includes(name), 'the next sync')
}

void t.test('dynamic DNS', async (t) => {
  const made = await admin.post('/api/auth/me/tokens', { name: 'router', permissions: ['ddns:update'] })
  const authorization = `Basic ${Buffer.from(`root:${made.body.token}`).toString('base64')}`
  const update = async (myip: string) => {
    const query = { hostname: 'dyn.example.com', myip }
    return (await app.inject({ url: '/nic/update', query, headers: { authorization } })).body
  }
  t.equal(await update('192.0.2.5'), 'good 192.0.2.5\n')
  await agree(t, 'dyn', ['192.0.2.5'])
  await putThere(rrset('dyn', 'A', '192.0.2.5', OLD))
  t.equal(await update('192.0.2.6'), 'good 192.0.2.6\n')
  await agree(t, 'dyn', ['192.0.2.6'])
})

void t.test('a set', async (t) => {
  const set = { action: 'set', recordType: 'A', name: 'set', values: ['192.0.2.1', '192.0.2.2'] }
  t.match((await admin.post(`${url}/apply`, { changes: [set] })).body, { applied: true })
  await agree(t, 'set', ['192.0.2.1', '192.0.2.2'])
})

void t.test('a single write keeps it, and tells', async (t) => {
  const create = { action: 'create', recordType: 'A', name: 'one', value: '192.0.2.1' }
  const { body } = await admin.post(`${url}/apply`, { changes: [create] })
  t.match(body, { applied: true, warnings: [{ code: 'unknown_siblings', params: { values: OLD } }] })
  await agree(t, 'one', ['192.0.2.1', OLD])
})

void t.test('a zone file', async (t) => {
  const file = 'file 300 IN A 192.0.2.1\nset 300 IN A 192.0.2.1\n'
  const headers = { 'content-type': 'text/dns' }
  const { body } = await admin.put(`/api/domains/${domainId}/zone?apply=true`, file, { headers })
  t.match(body, { plan: { applied: true } })
  await agree(t, 'file', ['192.0.2.1'])
  await agree(t, 'set', ['192.0.2.1'])
  await agree(t, 'one', [])
  const again = await admin.put(`/api/domains/${domainId}/zone`, file, { headers })
  t.match(again.body.plan, { creates: { length: 0 }, updates: { length: 0 }, deletes: { length: 0 } })
})
