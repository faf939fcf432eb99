import t from 'tap'
import { call } from '../helpers/app.ts'
import { addManual, startZone } from '../helpers/zone.ts'
import { PowerDnsClient, replaced, SERVER } from './powerdns-client.ts'

/* Servers and zones by the API of PowerDNS, the errors of paths and keys, and who sees which zone. */
const zone = await startZone(t, { name: 'example.org' })
const { admin, app, addUser, signIn, fake } = zone
const permissions = ['domains:read', 'domains:write', 'records:read', 'records:write']
type Client = typeof admin
const clientOf = async (owner: Client, restrictions: object = {}) => {
  const made = await owner.post('/api/auth/me/tokens', { name: 'pdns', permissions, ...restrictions })
  return new PowerDnsClient(app, made.body.token as string)
}
const pdns = await clientOf(admin)

void t.test('versions and servers', async (t) => {
  const headers = { 'x-api-key': pdns.key }
  t.match(await call(app, { url: '/api', headers }), { status: 200, body: [{ url: '/api/v1', version: 1 }] })
  t.match(await call(app, { url: '/api/v1', headers }), { status: 200 })
  const server = { id: 'localhost', daemon_type: 'authoritative', type: 'Server', url: SERVER }
  t.match(await call(app, { url: '/api/v1/servers', headers }), { status: 200, body: [server] })
  t.match(await pdns.ask('GET', ''), { status: 200, body: { ...server, version: /^\d+\.\d+\.\d+$/ } })
})

void t.test('errors in the form of PowerDNS', async (t) => {
  const error = String
  for (const [method, path, status] of [
    ['GET', '/zones/none.example.', 404],
    ['GET', '/foo', 404],
    ['DELETE', '/zones', 405],
    ['POST', '/zones/example.org.', 405],
    ['GET', '/zones?zone=example.org', 422],
    ['GET', '/zones/example.org.?rrsets=maybe', 422],
  ] as const)
    t.match(await pdns.ask(method, path), { status, body: { error } }, `${method} ${path}`)
  const at = (path: string, headers: object, more: object = {}) =>
    call(app, { url: `/api/v1/servers/${path}`, headers: { ...headers }, ...more })
  t.match(await at('other/zones', { 'x-api-key': pdns.key }), { status: 404, body: { error } })
  for (const headers of [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': `${pdns.key}x` }])
    for (const path of ['localhost', 'localhost/zones', 'localhost/zones/example.org.', 'nothing/there'])
      t.match(await at(path, headers), {
        status: 401,
        body: { error },
        headers: { 'www-authenticate': /^X-API-Key/ },
      })
  t.match(await at('localhost/zones', { authorization: `Bearer ${pdns.key}` }), { status: 200 })
  const broken = { method: 'PATCH', payload: '{' }
  t.match(await at('localhost/zones/example.org.', { 'x-api-key': pdns.key }, broken), {
    status: 400,
    body: { error },
  })
  // The type that curl sends.
  const form = { 'x-api-key': pdns.key, 'content-type': 'application/x-www-form-urlencoded' }
  t.match(await at('localhost/zones/example.org.', form, { method: 'PATCH', payload: '{"rrsets":[]}' }), {
    status: 204,
  })
  const large = { method: 'PATCH', payload: JSON.stringify({ rrsets: ' '.repeat(3 * 1024 * 1024) }) }
  t.match(await at('localhost/zones/example.org.', { 'x-api-key': pdns.key }, large), { status: 413 })
})

void t.test('a zone in the list, alone, and by its name', async (t) => {
  const listed = {
    account: 'PowerDNS',
    catalog: '',
    edited_serial: Number,
    id: 'example.org.',
    kind: 'Native',
    last_check: 0,
    masters: [],
    name: 'example.org.',
    notified_serial: 0,
    serial: Number,
    url: `${SERVER}/zones/example.org.`,
  }
  const all = await pdns.ask('GET', '/zones')
  t.match(all, { status: 200, body: [listed] })
  t.equal(all.body.length, 1)
  const { body: named } = await pdns.ask('GET', '/zones?zone=example.org.&dnssec=false')
  t.same(
    Object.keys(named[0]).sort(),
    Object.keys(listed).filter((key) => key !== 'edited_serial'),
  )
  t.same((await pdns.ask('GET', '/zones?zone=none.example.')).body, [])
  const { body: alone } = await pdns.ask('GET', '/zones/example.org?rrsets=false')
  t.match(alone, { ...listed, soa_edit_api: 'DEFAULT', api_rectify: false, nsec3param: '' })
  t.notOk('rrsets' in alone)
  const { body: whole } = await pdns.ask('GET', '/zones/EXAMPLE.ORG.')
  t.match(whole.rrsets[0], { name: 'example.org.', type: 'SOA', records: [{ content: /^\S+\. \S+\. \d+ / }] })
})

void t.test('a zone is created with its records, and deleted', async (t) => {
  const body = {
    name: 'new.example.',
    kind: 'Native',
    masters: [],
    nameservers: ['ns1.example.net.', 'ns2.example.net.'],
    rrsets: [{ ...replaced('www.new.example.', 'A', ['192.0.2.7']), changetype: undefined }],
  }
  const made = await pdns.ask('POST', '/zones', body)
  t.match(made, { status: 201, body: { id: 'new.example.', kind: 'Native' } })
  const contents = (await pdns.rrsets('new.example.')).map(({ name, type, records = [] }) =>
    [name, type, ...records.map(({ content }) => content)].join(' '),
  )
  t.same(contents.sort(), [
    'new.example. NS ns1.example.net. ns2.example.net.',
    'www.new.example. A 192.0.2.7',
  ])
  t.equal(fake.dump('new.example').length, 3, 'at the provider')
  t.match(await pdns.ask('POST', '/zones', body), { status: 409, body: { error: String } })
  for (const more of [
    { kind: 'Slave' },
    { masters: ['192.0.2.1'] },
    { dnssec: true },
    { account: 'nobody' },
    { name: 'other.example' },
    { rrsets: [replaced('www.other.example.', 'A', ['x'])] },
  ]) {
    const answer = await pdns.ask('POST', '/zones', { ...body, name: 'other.example.', ...more })
    t.match(answer, { status: 422, body: { error: String } }, JSON.stringify(more))
  }
  // Refused by the plan, when the zone is there already.
  const crowded = [
    replaced('x.other.example.', 'CNAME', ['a.example.']),
    replaced('x.other.example.', 'A', ['192.0.2.1']),
  ]
  t.match(await pdns.ask('POST', '/zones', { name: 'other.example.', kind: 'Native', rrsets: crowded }), {
    status: 422,
  })
  t.same((await pdns.ask('GET', '/zones?zone=other.example.')).body, [], 'nothing stays')
  t.match(await pdns.ask('DELETE', '/zones/new.example.'), { status: 204 })
  t.match(await pdns.ask('GET', '/zones/new.example.'), { status: 404 })
  t.match(await pdns.ask('DELETE', '/zones/new.example.'), { status: 404 })
})

void t.test('a delegate reads and writes what they may', async (t) => {
  await addUser('ada')
  const ada = await clientOf(await signIn('ada'))
  t.match(await ada.ask('GET', '/zones/example.org.'), { status: 404 })
  t.match(await ada.patch('example.org.', replaced('app.example.org.', 'A', ['192.0.2.1'])), { status: 404 })
  await pdns.patch('example.org.', replaced('secret.example.org.', 'A', ['192.0.2.66']))
  const body = { username: 'ada', domainId: zone.domainId, subdomainPattern: 'app', permission: 'write' }
  t.equal((await admin.post('/api/assignments', { ...body, recordTypes: ['A'] })).status, 201)
  t.match(await ada.patch('example.org.', replaced('app.example.org.', 'A', ['192.0.2.1'])), { status: 204 })
  t.match(await ada.ask('GET', '/zones/example.org.'), {
    status: 200,
    body: { account: '', rrsets: [{ name: 'app.example.org.' }] },
  })
  t.equal((await ada.ask('GET', '/zones/example.org.')).body.rrsets.length, 1, 'no other names, no SOA')
  const before = await zone.here()
  for (const set of [
    replaced('app.example.org.', 'TXT', ['"x"']),
    replaced('secret.example.org.', 'A', ['192.0.2.2']),
    { name: 'secret.example.org.', type: 'A', changetype: 'DELETE' },
    replaced('secret.example.org.', 'A', ['192.0.2.66'], { changetype: 'EXTEND' }),
  ])
    t.match(
      await ada.patch('example.org.', replaced('app.example.org.', 'A', ['192.0.2.9']), set),
      { status: 403, body: { error: String } },
      JSON.stringify(set),
    )
  const prune = replaced('secret.example.org.', 'A', ['192.0.2.66'], { changetype: 'PRUNE' })
  t.match(await ada.patch('example.org.', prune), { status: 403 })
  t.match(await ada.ask('DELETE', '/zones/example.org.'), { status: 403 })
  t.same(await zone.here(), before)
})

void t.test('a restricted token', async (t) => {
  const restricted = await clientOf(admin, {
    restrictions: { namePatterns: ['_acme-challenge.www'], recordTypes: ['TXT'] },
  })
  const other = { permissions: ['records:read'] }
  const reader = await clientOf(admin, other)
  t.match(await reader.ask('GET', '/zones/example.org.'), { status: 200 })
  t.match(await reader.patch('example.org.'), { status: 403 })
  t.match(await reader.ask('GET', '/zones'), { status: 403 })
  const challenge = replaced('_acme-challenge.www.example.org.', 'TXT', ['"x"'])
  const answer = await restricted.patch('example.org.', challenge)
  t.match(answer, { status: 204 }, JSON.stringify(answer.body))
  t.match(await restricted.patch('example.org.', replaced('www.example.org.', 'TXT', ['"x"'])), {
    status: 403,
  })
  t.match(
    await restricted.patch('example.org.', replaced('_acme-challenge.www.example.org.', 'A', ['192.0.2.1'])),
    {
      status: 403,
    },
  )
  const { changetype: _, ...shown } = challenge
  t.same(await restricted.rrsets('example.org.'), [{ ...shown, comments: [] }])
  const ofOne = await clientOf(admin, { restrictions: { domainIds: [zone.domainId] } })
  const made = { name: 'more.example.', kind: 'Native', nameservers: ['ns1.example.net.'] }
  for (const client of [restricted, ofOne])
    t.match(await client.ask('POST', '/zones', made), { status: 403, body: { error: String } })
  t.match(await restricted.ask('DELETE', '/zones/example.org.'), { status: 403 })
})

void t.test('a name that means two domains is refused', async (t) => {
  await addUser('bob')
  await addUser('eve', 'admin')
  const [bob, eve] = [await signIn('bob'), await signIn('eve')]
  const config = await addManual(eve, 'eve')
  const twin = await eve.post('/api/domains', { name: 'example.org', providerConfigId: config })
  t.equal(twin.status, 201)
  for (const domainId of [zone.domainId, twin.body.id as string]) {
    const body = { username: 'bob', domainId, subdomainPattern: '*', permission: 'write' }
    t.equal((await admin.post('/api/assignments', body)).status, 201)
  }
  const client = await clientOf(bob)
  const set = replaced('twin.example.org.', 'A', ['192.0.2.1'])
  t.match(await client.patch('example.org.', set), { status: 409, body: { error: /could be the domain/ } })
  t.match(await client.ask('GET', '/zones/example.org.'), { status: 409 })
  t.match(await client.ask('GET', '/zones?zone=example.org.'), { status: 409 })
  t.same((await client.ask('GET', '/zones')).body, [])
  const one = await clientOf(bob, { restrictions: { domainIds: [zone.domainId] } })
  t.match(await one.patch('example.org.', set), { status: 204 })
  t.same(zone.there('twin', 'A'), ['192.0.2.1'])
  // Nor does an administrator without a connection of their own create zones at somebody else's by chance.
  await addUser('mia', 'admin')
  const mia = await clientOf(await signIn('mia'))
  const made = { name: 'mia.example.', kind: 'Native', nameservers: ['ns1.example.net.'] }
  t.match(await mia.ask('POST', '/zones', made), { status: 422, body: { error: /account/ } })
  // Their own precedes that of others, also for an administrator.
  t.match((await (await clientOf(eve)).ask('GET', '/zones/example.org.')).body, { account: 'eve' })
})

void t.test('a domain whose changes are reviewed', async (t) => {
  await admin.put(`/api/domains/${zone.domainId}`, { reviewPolicy: 'everyone' })
  const before = await zone.here()
  const answer = await pdns.patch('example.org.', replaced('reviewed.example.org.', 'A', ['192.0.2.1']))
  t.match(answer, { status: 409, body: { error: /approval/ } })
  t.same(await zone.here(), before)
  await admin.put(`/api/domains/${zone.domainId}`, { reviewExempt: ['powerdns-api'] })
  const set = replaced('reviewed.example.org.', 'A', ['192.0.2.1'])
  t.match(await pdns.patch('example.org.', set), { status: 204 })
  await admin.put(`/api/domains/${zone.domainId}`, { reviewPolicy: 'none' })
})

void t.test('requests are counted by token', async (t) => {
  const limited = await startZone(t, { environment: { RATE_LIMIT: '5' } })
  const keyOf = async (name: string) => {
    const made = await limited.admin.post('/api/auth/me/tokens', { name, permissions })
    return new PowerDnsClient(limited.app, made.body.token as string)
  }
  const [one, other] = [await keyOf('one'), await keyOf('other')]
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await one.ask('GET', '/zones')).status)
  t.same(statuses, [200, 200, 200, 200, 200, 429])
  t.match(await one.ask('GET', '/zones'), { body: { error: String }, headers: { 'retry-after': String } })
  t.match(await other.ask('GET', '/zones'), { status: 200 })
})
