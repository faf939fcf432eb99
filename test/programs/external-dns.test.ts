import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { addDomain, startZone } from '../helpers/zone.ts'
import { ExternalDns, MEDIA_TYPE, type Endpoint } from './external-dns-player.ts'

/* The webhook, by a player of external-dns: rounds until nothing is left to do, and what it is told when it fails. */
const zone = await startZone(t)
const { admin, app } = zone
zone.fake.createZone('k8s.example.com')
const below = await addDomain(admin, zone.configId, 'k8s.example.com')
const tokenFor = async (body: object = {}) => {
  const permissions = ['records:write']
  const made = await admin.post('/api/auth/me/tokens', { name: 'cluster', permissions, ...body })
  return made.body.token as string
}
const externalDns = new ExternalDns(app, 'root', await tokenFor())
const recordsOf = async (id: string) => {
  const { body } = await admin.get(`/api/domains/${id}/records?limit=200`)
  const records = body.records as { name: string; recordType: string; value: string; ttl: number }[]
  return records.map(({ name, recordType, value, ttl }) => `${name} ${ttl} ${recordType} ${value}`).sort()
}
const a = (dnsName: string, ...targets: string[]): Endpoint => ({ dnsName, recordType: 'A', targets })

void t.test('negotiation', async (t) => {
  const answer = await externalDns.ask('GET', '')
  t.equal(answer.headers['content-type'], MEDIA_TYPE, 'to the letter')
  t.same(answer.body, { include: ['example.com', 'k8s.example.com'] })
  t.match(await externalDns.ask('GET', '/'), { status: 200 })
  t.match(await new ExternalDns(app, 'root', 'wrong').ask('GET', '/'), { status: 401 })
  t.match(await externalDns.ask('GET', '/healthz'), { status: 200 })
})

void t.test('rounds over two domains, until there is nothing to do', async (t) => {
  await zone.add('A', 'by-hand', '192.0.2.99')
  await zone.add('TXT', '@', 'v=spf1 -all')
  const desired: Endpoint[] = [
    { ...a('shop.example.com', '192.0.2.1', '192.0.2.2'), recordTTL: 60 },
    a('www.k8s.example.com', '192.0.2.3'),
    { dnsName: 'shop.example.com', recordType: 'AAAA', targets: ['2001:DB8:0:0::1'] },
    { dnsName: 'alias.k8s.example.com', recordType: 'CNAME', targets: ['LB.Example.net.'] },
    { dnsName: 'mail.example.com', recordType: 'MX', targets: ['10 mx.example.net.'] },
    { dnsName: '_sip._tcp.example.com', recordType: 'SRV', targets: ['1 2 5060 sip.example.net.'] },
    { dnsName: 'note.example.com', recordType: 'TXT', targets: ['plain text', '"in quotes"'] },
    { dnsName: 'sub.example.com', recordType: 'NS', targets: ['ns1.example.net', 'ns2.example.net'] },
    {
      ...a('*.apps.k8s.example.com', '192.0.2.4'),
      setIdentifier: 'blue',
      recordTTL: 1,
      providerSpecific: [{ name: 'aws/weight', value: '10' }],
    },
    a('by-hand.example.com', '192.0.2.1'),
  ]
  t.match(await externalDns.round(desired), { changes: 18, answer: { status: 204 } })
  t.match(await externalDns.round(desired), { changes: 0 }, 'the second round finds no difference')
  t.same((await recordsOf(below.id)).slice(0, 3), [
    '*.apps 1 A 192.0.2.4',
    'a-any.apps 3600 TXT heritage=external-dns,external-dns/owner=default,external-dns/resource=ingress/default/*',
    'a-www 3600 TXT heritage=external-dns,external-dns/owner=default,external-dns/resource=ingress/default/www',
  ])
  t.ok((await zone.here()).includes('by-hand A 192.0.2.99'), 'what it does not own stays')

  const changed = [
    { ...a('shop.example.com', '192.0.2.2', '192.0.2.5'), recordTTL: 120 },
    ...desired.slice(1, 6),
    ...desired.slice(7),
  ]
  t.match(await externalDns.round(changed), { changes: 4, answer: { status: 204 } })
  t.match(await externalDns.round(changed), { changes: 0 })
  const now = await recordsOf(zone.domainId)
  t.same(
    now.filter((line) => line.startsWith('shop ')),
    ['shop 120 A 192.0.2.2', 'shop 120 A 192.0.2.5', 'shop 3600 AAAA 2001:db8::1'],
  )
  t.notOk(now.some((line) => line.includes('note')))

  t.match(await externalDns.round([]), { answer: { status: 204 } })
  t.same(await zone.here(), ['@ TXT v=spf1 -all', 'by-hand A 192.0.2.99'])
})

void t.test('the same again does nothing, and values that it does not name stay', async (t) => {
  const once = { create: [a('again.example.com', '192.0.2.1')], updateOld: [], updateNew: [], delete: [] }
  t.match(await externalDns.apply(once), { status: 204 })
  const writes = zone.writes()
  t.match(await externalDns.apply(once), { status: 204 })
  t.equal(zone.writes(), writes)
  await zone.add('A', 'again', '192.0.2.50')
  const update = {
    create: null,
    UpdateOld: [a('again.example.com', '192.0.2.1')],
    UpdateNew: [a('again.example.com', '192.0.2.2')],
    Delete: null,
  }
  t.match(await externalDns.ask('POST', '/records', update), { status: 204 }, 'as older versions write it')
  t.same(zone.there('again', 'A'), ['192.0.2.2', '192.0.2.50'])
  const swap = [a('again.example.com', '192.0.2.2')]
  t.match(await externalDns.apply({ ...once, create: swap, delete: swap }), { status: 204 })
  t.same(zone.there('again', 'A'), ['192.0.2.2', '192.0.2.50'], 'gone and come at once')
  const gone = { ...once, create: [], delete: [a('again.example.com', '192.0.2.2', '192.0.2.77')] }
  t.match(await externalDns.apply(gone), { status: 204 })
  t.same(zone.there('again', 'A'), ['192.0.2.50'])
})

void t.test('what can not be done is named, and the rest is done', async (t) => {
  await zone.add('CNAME', 'taken', 'www.example.net')
  const desired = [
    a('fine.example.com', '192.0.2.1'),
    a('taken.example.com', '192.0.2.1'),
    a('wrong.example.com', '192.0.2.999'),
    a('www.elsewhere.example', '192.0.2.1'),
    { dnsName: 'odd.example.com', recordType: 'WHAT', targets: ['x'] },
  ]
  const { answer } = await externalDns.round(desired)
  t.match(answer, { status: 500, body: { code: 'changes_failed' } })
  const failures = answer?.body.failures as { domain: string | null; names: string[]; detail: string }[]
  t.match(
    failures.map(({ names }) => names[0]),
    [
      'wrong.example.com',
      'www.elsewhere.example',
      'odd.example.com',
      'a-www.elsewhere.example',
      'taken.example.com',
    ],
  )
  t.match(failures.at(-1), { domain: 'example.com', detail: /taken CNAME/ })
  t.same(zone.there('fine', 'A'), ['192.0.2.1'])
  t.same(zone.there('a-taken', 'TXT'), [], 'nor is it owned')
})

void t.test('a provider that fails in one domain', async (t) => {
  const desired = [a('one.example.com', '192.0.2.1'), a('two.k8s.example.com', '192.0.2.1')]
  zone.fake.fail({
    on: ({ method, path }) => method === 'PATCH' && path.includes('k8s'),
    kind: 'answer',
    answer: { status: 422, body: '{"error":"no"}' },
  })
  t.match(await externalDns.round(desired), {
    answer: { status: 500, body: { failures: [{ domain: 'k8s.example.com', code: 'provider_rejected' }] } },
  })
  t.same(zone.there('one', 'A'), ['192.0.2.1'])
  t.match(await externalDns.round(desired), { answer: { status: 204 } }, 'the next round does the rest')
  t.match(await externalDns.round(desired), { changes: 0 })
})

void t.test('tokens that may do less', async (t) => {
  const narrow = new ExternalDns(
    app,
    'ROOT',
    await tokenFor({ restrictions: { domainIds: [below.id], namePatterns: ['*.team'] } }),
  )
  t.same((await narrow.ask('GET', '/')).body, { include: ['.team.k8s.example.com'] })
  const desired = [a('x.team.k8s.example.com', '192.0.2.1'), a('y.k8s.example.com', '192.0.2.1')]
  t.match(await narrow.round(desired), {
    answer: {
      status: 500,
      body: { failures: [{ names: ['y.k8s.example.com'], detail: /no permission to write/ }] },
    },
  })
  t.same(
    ((await narrow.ask('GET', '/records')).body as Endpoint[]).map(({ dnsName }) => dnsName),
    ['a-x.team.k8s.example.com', 'x.team.k8s.example.com'],
  )
  const reader = new ExternalDns(app, 'root', await tokenFor({ permissions: ['records:read'] }))
  t.match(await reader.ask('GET', '/'), { status: 403, body: { code: 'permission_missing' } })
  const member = await zone.addUser('member').then(() => zone.signIn('member'))
  const permissions = ['records:write']
  const none = await member.post('/api/auth/me/tokens', { name: 'n', permissions })
  const nothing = new ExternalDns(app, 'member', none.body.token as string)
  t.match(await nothing.ask('GET', '/'), { status: 403, body: { detail: /not write records in any domain/ } })
})

void t.test('no changes at all are done', async (t) => {
  // Members that are empty may be left out.
  for (const body of [{}, { Create: null, UpdateOld: null, UpdateNew: null, Delete: null }])
    t.match(await externalDns.ask('POST', '/records', body), { status: 204 })
})

void t.test('requests that are none', async (t) => {
  for (const body of [
    [],
    { create: [{}] },
    { updateOld: [a('x.example.com', '192.0.2.1')] },
    { create: 'x' },
  ]) {
    t.match(await externalDns.ask('POST', '/records', body), { status: 400 }, JSON.stringify(body))
  }
  const many = Array.from({ length: 50_001 }, () => a('x', 'y'))
  t.match(await externalDns.ask('POST', '/adjustendpoints', many), { status: 400 })
})

void t.test('too many requests are tried again, as 429 would end external-dns', async (t) => {
  const { app: limited, admin } = await startApp(t, { environment: { RATE_LIMIT: '4' } })
  const permissions = ['records:write']
  const made = await admin.post('/api/auth/me/tokens', { name: 'cluster', permissions })
  const hasty = new ExternalDns(limited, 'root', made.body.token as string)
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) statuses.push((await hasty.ask('GET', '/records')).status)
  t.same([...new Set(statuses)], [200, 503])
  t.match(await hasty.ask('GET', '/records'), { headers: { 'retry-after': String } })
})

void t.test('what a delegation hides is named as not done; all else is done', async (t) => {
  await zone.add('NS', 'cut', 'ns.example.org')
  const changes = { create: [a('host.cut.example.com', '192.0.2.1'), a('beside.example.com', '192.0.2.1')] }
  t.match(await externalDns.ask('POST', '/records', changes), {
    status: 500,
    body: {
      code: 'changes_failed',
      failures: [{ names: ['host.cut.example.com'], code: 'hidden_by_delegation' }],
    },
  })
  const here = await zone.here()
  t.ok(here.includes('beside A 192.0.2.1'))
  t.notOk(here.some((record) => record.startsWith('host.cut')))
})
