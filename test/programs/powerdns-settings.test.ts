import t from 'tap'
import { call } from '../helpers/app.ts'
import { addDomain, addManual, startZone } from '../helpers/zone.ts'
import { PowerDnsClient, replaced, SERVER } from './powerdns-client.ts'

/* What the API of PowerDNS offers besides RRsets: actions, export, search, metadata, signing, settings. */
const zone = await startZone(t, { name: 'example.org' })
const { admin, app, addUser, signIn } = zone
await addDomain(admin, await addManual(admin, 'plain'), 'plain.example')
const permissions = ['domains:read', 'domains:write', 'records:read', 'records:write']
const clientOf = async (owner: typeof admin, more: object = {}) => {
  const made = await owner.post('/api/auth/me/tokens', { name: 'pdns', permissions, ...more })
  return new PowerDnsClient(app, made.body.token as string)
}
const pdns = await clientOf(admin)
const at = '/zones/example.org.'
const error = String
await pdns.patch(
  'example.org.',
  replaced('www.example.org.', 'A', ['192.0.2.1'], { comments: [{ content: 'the shop', account: 'ada' }] }),
  replaced('mail.example.org.', 'MX', ['10 mx.example.net.']),
  { ...replaced('off.example.org.', 'A', []), records: [{ content: '192.0.2.9', disabled: true }] },
)

void t.test('actions of a zone', async (t) => {
  t.match(await pdns.ask('PUT', `${at}/notify`), { status: 200, body: { result: /itself/ } })
  t.match(await pdns.ask('PUT', `${at}/rectify`), { status: 200, body: { result: /itself/ } })
  t.match(await pdns.ask('PUT', `${at}/axfr-retrieve`), { status: 422, body: { error: /slave domain/ } })
  t.match(await pdns.ask('PUT', '/cache/flush?domain=example.org.'), { status: 200, body: { count: 0 } })
  for (const action of ['notify', 'rectify', 'axfr-retrieve'])
    t.match(await pdns.ask('PUT', `/zones/none.example./${action}`), { status: 404 })
})

void t.test('export as text and in JSON', async (t) => {
  const headers = { 'x-api-key': pdns.key }
  const url = `${SERVER}${at}/export`
  const text = await call(app, { url, headers })
  t.match(text.headers['content-type'], /^text\/plain/)
  const lines = String(text.body).trimEnd().split('\n')
  t.match(lines[0], /^example\.org\.\t\d+\tIN\tSOA\t/)
  t.same(lines.slice(-2), [
    'mail.example.org.\t300\tIN\tMX\t10 mx.example.net.',
    'www.example.org.\t300\tIN\tA\t192.0.2.1',
  ])
  t.notMatch(text.body, 'off.example.org', 'what is disabled is not published')
  const json = await call(app, { url, headers: { ...headers, accept: 'application/json' } })
  t.same(json.body, { zone: text.body })
  const audit = await admin.get('/api/audit?action=domain.exported&limit=1')
  t.match(audit.body.entries[0], { origin: 'powerdns-api' })
})

void t.test('search', async (t) => {
  const search = async (query: string) => (await pdns.ask('GET', `/search-data?${query}`)).body
  t.same(await search('q=*.example.org&object_type=record'.replace('*', 'www')), [
    {
      content: '192.0.2.1',
      disabled: false,
      name: 'www.example.org.',
      object_type: 'record',
      ttl: 300,
      type: 'A',
      zone: 'example.org.',
      zone_id: 'example.org.',
    },
  ])
  t.same(await search('q=plain*'), [
    { name: 'plain.example.', object_type: 'zone', zone_id: 'plain.example.' },
  ])
  t.match(await search('q=*shop*'), [
    { content: 'the shop', object_type: 'comment', name: 'www.example.org.' },
  ])
  t.equal((await search('q=192.0.2.?')).length, 2)
  t.equal((await search('q=192.0.2.?&max=1')).length, 1)
  t.same(await search('q=192.0.2._'), [], 'no wildcard of SQL')
  for (const query of ['', 'q=', 'q=x&object_type=foo', 'q=x&max=0', 'q=x&q=y', 'q=a*b*c*d*e*f*g'])
    t.match(await pdns.ask('GET', `/search-data?${query}`), { status: 422, body: { error } }, query)
  await addUser('ada')
  const ada = await clientOf(await signIn('ada'))
  t.same((await ada.ask('GET', '/search-data?q=*')).body, [], 'only what the caller sees')
  const body = { username: 'ada', domainId: zone.domainId, subdomainPattern: 'www', permission: 'read' }
  t.equal((await admin.post('/api/assignments', body)).status, 201)
  const names = (await ada.ask('GET', '/search-data?q=*&object_type=record')).body as { name: string }[]
  t.same(
    names.map(({ name }) => name),
    ['www.example.org.'],
  )
  t.equal((await ada.ask('GET', `${at}/export`)).body, 'www.example.org.\t300\tIN\tA\t192.0.2.1\n')
})

void t.test('metadata can be read', async (t) => {
  t.match(await pdns.ask('GET', `${at}/metadata`), { status: 200, body: [{ kind: 'SOA-EDIT-API' }] })
  t.same((await pdns.ask('GET', `${at}/metadata/ALSO-NOTIFY`)).body, {
    kind: 'ALSO-NOTIFY',
    metadata: [],
    type: 'Metadata',
  })
  t.match(await pdns.ask('GET', `${at}/metadata/FOO`), { status: 422, body: { error } })
  const body = { kind: 'ALSO-NOTIFY', metadata: ['192.0.2.1'] }
  t.match(await pdns.ask('POST', `${at}/metadata`, body), { status: 422, body: { error } })
  t.match(await pdns.ask('PUT', `${at}/metadata/ALSO-NOTIFY`, body), { status: 422 })
  t.match(await pdns.ask('DELETE', `${at}/metadata/ALSO-NOTIFY`), { status: 422 })
})

void t.test('signing, as far as the DNS provider has it', async (t) => {
  t.match((await pdns.ask('GET', at)).body, { dnssec: false })
  t.same((await pdns.ask('GET', `${at}/cryptokeys`)).body, [])
  t.match(await pdns.ask('POST', `${at}/cryptokeys`, { keytype: 'csk', active: true, bits: 256 }), {
    status: 422,
  })
  t.match(await pdns.ask('POST', `${at}/cryptokeys`, { keytype: 'csk', active: true }), {
    status: 201,
    body: { active: true, type: 'Cryptokey', ds: [String] },
  })
  const [key] = (await pdns.ask('GET', `${at}/cryptokeys`)).body
  t.match(key, { active: true, published: true, id: Number })
  t.notOk('privatekey' in key)
  t.match(await pdns.ask('GET', `${at}/cryptokeys/${key.id}`), { status: 200, body: { id: key.id } })
  t.match(await pdns.ask('GET', `${at}/cryptokeys/0`), { status: 404 })
  t.match((await pdns.ask('GET', `${at}?rrsets=false`)).body, { dnssec: true })
  t.match((await pdns.ask('GET', '/zones?zone=example.org.')).body, [{ dnssec: true }])
  t.match(await pdns.ask('DELETE', `${at}/cryptokeys/${key.id}`), { status: 422 })
  t.match(await pdns.ask('PUT', at, { dnssec: false }), { status: 204 })
  t.match((await pdns.ask('GET', at)).body, { dnssec: false })
  const plain = '/zones/plain.example.'
  t.same((await pdns.ask('GET', `${plain}/cryptokeys`)).body, [])
  t.match(await pdns.ask('PUT', plain, { dnssec: false }), { status: 204 })
  t.match(await pdns.ask('PUT', plain, { dnssec: true }), { status: 422, body: { error } })
})

void t.test('settings that a zone does not have are refused', async (t) => {
  for (const body of [
    {},
    { kind: 'Native', account: '', masters: [], soa_edit_api: 'DEFAULT', nsec3param: '', api_rectify: true },
    { account: 'PowerDNS' },
  ])
    t.match(await pdns.ask('PUT', at, body), { status: 204 }, JSON.stringify(body))
  for (const body of [
    { kind: 'Slave' },
    { kind: 'Master' },
    { masters: ['192.0.2.1'] },
    { account: 'other' },
    { soa_edit_api: 'EPOCH' },
    { soa_edit: 'INCEPTION-EPOCH' },
    { nsec3param: '1 0 0 ab' },
    { catalog: 'cat.example.' },
    { rrsets: [replaced('www.example.org.', 'A', ['192.0.2.1'])] },
  ])
    t.match(await pdns.ask('PUT', at, body), { status: 422, body: { error } }, JSON.stringify(body))
})

void t.test('the SOA, alone and with the permission for settings', async (t) => {
  const content = async () => {
    const { body } = await pdns.ask('GET', at)
    return String(body.rrsets[0].records[0].content)
  }
  const [primary = '', mailbox, serial, ...times] = (await content()).split(' ')
  const soa = (first: string) =>
    replaced('example.org.', 'SOA', [[first, mailbox, serial, ...times].join(' ')], { ttl: 3600 })
  const host = replaced('with-soa.example.org.', 'A', ['192.0.2.1'])
  t.match(await pdns.patch('example.org.', soa(primary), host), { status: 204 }, 'as it is, besides others')
  t.match(await pdns.patch('example.org.', soa('ns9.example.net.'), host), { status: 422, body: { error } })
  const writer = await clientOf(admin, { permissions: ['records:read', 'records:write'] })
  t.match(await writer.patch('example.org.', soa('ns9.example.net.')), { status: 403, body: { error } })
  t.match(await pdns.patch('example.org.', soa('ns9.example.net.')), { status: 204 })
  t.match(await content(), /^ns9\.example\.net\. /)
  const none = { name: 'example.org.', type: 'SOA', changetype: 'DELETE' }
  t.match(await pdns.patch('example.org.', none), { status: 422, body: { error } })
  const plain = replaced('plain.example.', 'SOA', ['ns1.example.net. me.example.net. 1 2 3 4 5'])
  t.match(await pdns.patch('plain.example.', plain), { status: 422, body: { error } }, 'where there is none')
})
