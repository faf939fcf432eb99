import t from 'tap'
import type { InjectOptions } from 'fastify'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addPowerDns, startZone, unsettled } from '../helpers/zone.ts'

/* dyndns2: what a client sends, and what the DNS server holds after it. */
const zone = await startZone(t, { environment: { TRUST_PROXY: '10.0.0.1' } })
const { app, admin, fake, there, writes, domainId, add } = zone

async function addToken(more: object = {}, client = admin) {
  const { body } = await client.post('/api/auth/me/tokens', {
    name: 'router',
    permissions: ['ddns:update'],
    ...more,
  })
  return body.token as string
}
const token = await addToken()

interface Call {
  user?: string
  password?: string
  path?: string
  from?: string
  headers?: Record<string, string>
}
async function call(query: Record<string, string>, more: Call = {}) {
  const { user = 'root', password = token, path = '/nic/update', from = '203.0.113.7', headers = {} } = more
  const request: InjectOptions = { url: path, query, remoteAddress: from }
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const answer = await app.inject({ ...request, headers: { authorization, ...headers } })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers }
}
const said = async (query: Record<string, string>, more?: Call) =>
  (await call(query, more)).text.trimEnd().split('\n')
const ttlOf = (name: string, type: string) =>
  fake.dump('example.com').find((set) => set.name === `${name}.example.com.` && set.type === type)?.ttl

void t.test('an address is set, once; the same again costs no call', async (t) => {
  const first = await call({ hostname: 'home.example.com', myip: '192.0.2.1' })
  t.match(first, { status: 200, text: 'good 192.0.2.1\n', headers: { 'content-type': /^text\/plain/ } })
  t.same(there('home', 'A'), ['192.0.2.1'])
  t.equal(ttlOf('home', 'A'), 60)
  const before = fake.requests.length
  t.same(await said({ hostname: 'home.example.com', myip: '192.0.2.1' }), ['nochg 192.0.2.1'])
  t.equal(fake.requests.length, before, 'the server is not even asked')
  t.same(await said({ hostname: 'HOME.example.com.', myip: '10.1.2.3' }, { path: '/v3/update' }), [
    'good 10.1.2.3',
  ])
  t.same(there('home', 'A'), ['10.1.2.3'])
  const history = await admin.get(`/api/domains/${domainId}/changes?limit=1`)
  t.match(history.body.changes, [{ source: 'ddns', actor: { name: 'root' } }])
})

void t.test('IPv4 and IPv6, several hosts: one change, one line each', async (t) => {
  const before = writes()
  const query = { hostname: 'a.example.com,*.b.example.com,example.com', myip: '192.0.2.2,2001:DB8:0::2' }
  t.same(
    await said(query),
    Array.from({ length: 3 }, () => 'good 192.0.2.2,2001:db8::2'),
  )
  t.equal(writes(), before + 1)
  for (const name of ['a', '*.b', '@']) {
    t.same([there(name, 'A'), there(name, 'AAAA')], [['192.0.2.2'], ['2001:db8::2']], name)
  }
  t.same(await said({ hostname: 'a.example.com', myipv6: '2001:db8::3' }), ['good 2001:db8::3'])
  t.same([there('a', 'A'), there('a', 'AAAA')], [['192.0.2.2'], ['2001:db8::3']], 'IPv4 stays')
})

void t.test('without an address it is that of the client', async (t) => {
  t.same(await said({ hostname: 'c.example.com', myip: '' }), ['good 203.0.113.7'])
  const headers = { 'x-forwarded-for': '198.51.100.9' }
  t.same(await said({ hostname: 'c.example.com' }, { from: '10.0.0.1', headers }), ['good 198.51.100.9'])
  t.same(await said({ hostname: 'c.example.com' }, { headers }), ['good 203.0.113.7'], 'no proxy of ours')
  t.same(await said({ hostname: 'c.example.com' }, { from: '::ffff:203.0.113.8' }), ['good 203.0.113.8'])
  const shown = await app.inject({ url: '/nic/checkip', remoteAddress: '203.0.113.9' })
  t.equal(shown.body, '203.0.113.9\n')
})

void t.test('the set is exactly that address, with its TTL, and disabled records come back', async (t) => {
  for (const value of ['192.0.2.10', '192.0.2.11']) await add('A', 'multi', value, { ttl: 900 })
  t.same(await said({ hostname: 'multi.example.com', myip: '192.0.2.11' }), ['good 192.0.2.11'])
  t.same(there('multi', 'A'), ['192.0.2.11'])
  t.equal(ttlOf('multi', 'A'), 900)
  t.same(await said({ hostname: 'multi.example.com', myip: '192.0.2.12,192.0.2.13' }), [
    'good 192.0.2.12,192.0.2.13',
  ])
  t.same(there('multi', 'A'), ['192.0.2.12', '192.0.2.13'])
  t.equal(ttlOf('multi', 'A'), 900)
  await add('A', 'off', '192.0.2.20', { enabled: false })
  t.same(await said({ hostname: 'off.example.com', myip: '192.0.2.20' }), ['good 192.0.2.20'])
  t.same(there('off', 'A'), ['192.0.2.20'])
})

void t.test('a prefix moves hosts that have an address, and gives one to those with a suffix', async (t) => {
  await add('AAAA', 'old', '2001:db8:ffff::abcd')
  await add('AAAA', 'old', '2001:db8:ffff::1:2')
  const hostname = 'old.example.com,nas.example.com;suffix=::10,none.example.com'
  const moved = await said({ hostname, ip6lanprefix: '2001:db8:1:2::/64' })
  t.same(
    moved.map((line) => line.split(' ')[0]),
    ['good', 'good', 'nochg'],
  )
  t.same(there('old', 'AAAA'), ['2001:db8:1:2::1:2', '2001:db8:1:2::abcd'])
  t.same(there('nas', 'AAAA'), ['2001:db8:1:2::10'])
  t.same(there('none', 'AAAA'), [], 'nothing to move')
  const router = { hostname: 'gw.example.com,nas.example.com;suffix=::1:0:0:0:10', myip: '192.0.2.1' }
  const both = { ...router, myipv6: '2001:db8:1:300::1', ip6lanprefix: '2001:db8:1:300::/56' }
  t.same(await said(both), ['good 192.0.2.1,2001:db8:1:300::1', 'good 192.0.2.1,2001:db8:1:301::10'])
  for (const place of ['myip', 'myipv6']) {
    const network = `2001:db8:2:${place.length}::/64`
    t.match(await said({ hostname, [place]: network }), [/^good /, /^good /, 'nochg'], `in ${place}, too`)
  }
})

void t.test('addresses that no host can have are refused', async (t) => {
  const before = writes()
  for (const myip of [
    '0.0.0.0',
    '::',
    '255.255.255.255',
    '224.0.0.1',
    '239.1.2.3',
    'ff02::1',
    '::ffff:0.0.0.0',
    '::ffff:224.0.0.1',
    '192.0.2.1,0.0.0.0',
    'ff02::/16',
    '::/64',
  ])
    t.same(await said({ hostname: 'c.example.com', myip }), ['dnserr'], myip)
  t.same(await said({ hostname: 'c.example.com', myipv6: '::' }), ['dnserr'])
  t.equal(writes(), before)
  t.same(await said({ hostname: 'parked.example.com', myip: '127.0.0.1' }), ['good 127.0.0.1'])
})

void t.test('nobody is answered below a delegation or a DNAME: dnserr, and nothing is written', async (t) => {
  await add('A', 'host.child', '192.0.2.1')
  await add('NS', 'child', 'ns.child.example.com')
  await add('DNAME', 'tree', 'example.org')
  const before = writes()
  const hostname = 'host.child.example.com,deep.er.child.example.com,child.example.com,x.tree.example.com'
  for (const myip of ['192.0.2.1', '192.0.2.2'])
    t.same(await said({ hostname, myip }), ['dnserr', 'dnserr', 'dnserr', 'dnserr'], myip)
  t.equal(writes(), before)
  const glue = { hostname: 'ns.child.example.com,tree.example.com', myip: '192.0.2.3' }
  t.same(await said(glue), ['good 192.0.2.3', 'good 192.0.2.3'], 'glue, and the owner of the DNAME')
})

void t.test('names: IDN, the longest domain that is seen, none', async (t) => {
  fake.createZone('dev.example.com')
  const config = await addPowerDns(admin, fake, 'second')
  await addDomain(admin, config, 'dev.example.com')
  fake.createZone('xn--mnchen-3ya.de')
  await addDomain(admin, config, 'xn--mnchen-3ya.de')
  const hostname = 'x.dev.example.com,büro.München.de,example.org,www.example.com.evil.org'
  const before = writes()
  t.same(await said({ hostname, myip: '192.0.2.5' }), [
    'good 192.0.2.5',
    'good 192.0.2.5',
    'nohost',
    'nohost',
  ])
  t.equal(writes(), before + 2, 'a call for each zone')
  t.equal(fake.dump('dev.example.com').filter(({ type }) => type === 'A').length, 1)
  t.equal(
    fake.dump('xn--mnchen-3ya.de').find(({ type }) => type === 'A')?.name,
    'xn--bro-hoa.xn--mnchen-3ya.de.',
  )
})

void t.test('what can not be done is said in the words of the protocol', async (t) => {
  await add('CNAME', 'alias', 'www.example.org')
  const hostname =
    'alias.example.com,localhost,bad..example.com,x.example.com;suffix=1,y.example.com;foo,ok.example.com'
  t.same(await said({ hostname, myip: '192.0.2.6' }), [
    'dnserr',
    'notfqdn',
    'notfqdn',
    'notfqdn',
    'notfqdn',
    'good 192.0.2.6',
  ])
  const many = (count: number) => Array.from({ length: count }, (_, n) => `n${n}.example.com`).join(',')
  t.same(await said({ hostname: many(21), myip: '192.0.2.6' }), ['numhost'])
  t.same(
    await said({ hostname: many(20), myip: '192.0.2.6' }),
    Array.from({ length: 20 }, () => 'good 192.0.2.6'),
  )
  t.same(await said({ myip: '192.0.2.6' }), ['notfqdn'])
  for (const myip of [
    '192.0.2',
    'fe80::1%eth0',
    '192.0.2.0/24',
    '2001:db8::/0',
    '2001:db8::/64,2001:db9::/64',
  ]) {
    t.same(await said({ hostname: 'ok.example.com', myip }), ['dnserr'], myip)
  }
  t.match(await call({ hostname: 'ok.example.com', myip: '1'.repeat(501) }), {
    status: 400,
    text: 'dnserr\n',
  })
  t.equal(
    (await app.inject({ method: 'HEAD', url: '/nic/update' })).statusCode,
    405,
    'a look changes nothing',
  )
})

void t.test('who may not is told badauth, and the rights of the token hold', async (t) => {
  const query = { hostname: 'ok.example.com', myip: '192.0.2.7' }
  const headers = { 'www-authenticate': 'Basic realm="Zonekeeper"' }
  t.match(await call(query, { password: 'wrong' }), { status: 401, text: 'badauth\n', headers })
  t.match(await call(query, { user: 'other' }), { status: 401, text: 'badauth\n' })
  const reader = await addToken({ permissions: ['records:write'] })
  t.match(await call(query, { password: reader }), { status: 403, text: 'badauth\n' })

  const narrow = await addToken({
    restrictions: { namePatterns: ['ok'], recordTypes: ['A'], domainIds: [domainId] },
  })
  const hostname = 'ok.example.com,a.example.com,x.dev.example.com'
  t.same(await said({ hostname, myip: '192.0.2.7' }, { password: narrow }), [
    'good 192.0.2.7',
    'nohost',
    'nohost',
  ])
  t.same(await said({ hostname: 'ok.example.com', myip: '2001:db8::7' }, { password: narrow }), ['nohost'])
  t.same(there('a', 'A'), ['192.0.2.2'])

  await zone.addUser('ada')
  const ada = await zone.signIn('ada')
  const hers = { user: 'Ada', password: await addToken({}, ada) }
  t.same(await said(query, hers), ['nohost'], 'she does not see it')
  const assign = { domainId, username: 'ada', subdomainPattern: 'ok', permission: 'read' }
  const { body: assignment } = await admin.post('/api/assignments', assign)
  t.same(await said(query, hers), ['nohost'], 'she may only read')
  await admin.put(`/api/assignments/${assignment.id}`, { permission: 'write' })
  t.same(await said({ ...query, myip: '192.0.2.8' }, hers), ['good 192.0.2.8'])
})

void t.test('calls at the same time leave one of their addresses', async (t) => {
  const addresses = ['192.0.2.31', '192.0.2.32', '192.0.2.33', '192.0.2.31']
  const answers = await Promise.all(addresses.map((myip) => said({ hostname: 'race.example.com', myip })))
  for (const [i, [line]] of answers.entries()) t.match(line, new RegExp(`^(good|nochg) ${addresses[i]}$`))
  const [held, ...more] = there('race', 'A')
  t.same(more, [])
  t.ok(addresses.includes(held ?? ''))
  t.same(await unsettled(zone), [0, 0, 0])
})

void t.test(
  'where the DNS server fails it is 911, other domains go on, and nothing is claimed',
  async (t) => {
    const hostname = 'down.example.com,down.dev.example.com'
    const answer = { status: 422, body: JSON.stringify({ error: 'Not in expected format' }) }
    fake.fail({
      kind: 'answer',
      on: ({ body }) => body.includes('down.example.com'),
      times: Infinity,
      answer,
    })
    t.same(await said({ hostname, myip: '192.0.2.40' }), ['911', 'good 192.0.2.40'])
    fake.heal()
    t.same(await said({ hostname, myip: '192.0.2.40' }), ['good 192.0.2.40', 'nochg 192.0.2.40'])
  },
)

void t.test('what is on its way to the DNS server is not there yet', async (t) => {
  const calm = { hostname: 'calm.example.com', myip: '192.0.2.51' }
  await said(calm)
  let arrive = (): void => undefined
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  fake.fail({ kind: 'late', on: ({ method }) => method === 'PATCH', until: () => arrived })
  const query = { hostname: 'late.example.com', myip: '192.0.2.50' }
  const first = said(query)
  await until('the first is sent', () => there('late', 'A').length > 0)
  let isAnswered = false
  const second = said(query).finally(() => (isAnswered = true))
  t.same(await said(calm), ['nochg 192.0.2.51'])
  t.notOk(isAnswered, 'who asks again waits, whom nothing else holds up')
  arrive()
  t.same(await first, ['good 192.0.2.50'])
  t.same(await second, ['nochg 192.0.2.50'])
})

void t.test('too many calls are abuse', async (t) => {
  const { app: limited } = await startApp(t, { database: zone.database, environment: { RATE_LIMIT: '2' } })
  const ask = () => limited.inject({ url: '/nic/update', remoteAddress: '198.51.100.7' })
  for (let n = 0; n < 2; n++) t.match(await ask(), { statusCode: 401, body: 'badauth\n' })
  t.match(await ask(), { statusCode: 429, body: 'abuse\n', headers: { 'retry-after': /^\d+$/ } })
})
