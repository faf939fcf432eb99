import pino from 'pino'
import t from 'tap'
import { loggerOptions } from '../../plugins/http/logging.ts'
import { until } from '../helpers/until.ts'
import { startZone } from '../helpers/zone.ts'

/* Parameters of dyndns2 that deSEC and dyn.com know: credentials in the query, further names of addresses, preserve, offline. */
const log: string[] = []
const zone = await startZone(t, {
  log: pino(loggerOptions('trace'), { write: (line) => void log.push(line) }),
})
const { app, admin, there, writes, domainId, add } = zone

async function addToken(more: object = {}) {
  const permissions = ['ddns:update']
  const { body } = await admin.post('/api/auth/me/tokens', { name: 'router', permissions, ...more })
  return body.token as string
}
const token = await addToken()

async function call(
  query: Record<string, string | string[]>,
  { headers = {}, path = '/nic/update' }: { headers?: Record<string, string>; path?: string } = {},
) {
  const answer = await app.inject({ url: path, query, headers, remoteAddress: '203.0.113.7' })
  return { status: answer.statusCode, text: answer.body }
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
/** With credentials in the header. */
const said = async (query: Record<string, string>, password = token) =>
  (await call(query, { headers: basic('root', password) })).text.trimEnd()

const both = (name: string) => [there(name, 'A'), there(name, 'AAAA')]

void t.test('credentials in the query count where there is no header, and only there', async (t) => {
  const host = { hostname: 'q.example.com', myip: '192.0.2.1' }
  const good = { ...host, username: 'Root', password: token }
  t.same(await call(good), { status: 200, text: 'good 192.0.2.1\n' })
  t.same(await call(good, { path: '/v3/update' }), { status: 200, text: 'nochg 192.0.2.1\n' })
  t.match(await call(good, { headers: { authorization: 'Basic' } }), { status: 401, text: 'badauth\n' })
  t.match(await call(good, { headers: basic('root', 'wrong') }), { status: 401 }, 'the header comes first')
  const wrong: Record<string, string | string[]>[] = [
    { ...host, username: 'root', password: 'wrong' },
    { ...host, username: 'root', password: admin.accessToken },
    { ...host, username: 'ada', password: token },
    { ...host, username: '', password: token },
    { ...host, password: token },
    { ...host, username: 'root' },
    { ...host, username: ['root', 'root'], password: token },
    { ...host, username: 'root', password: [token, token] },
    { ...host, token },
  ]
  for (const query of wrong)
    t.match(await call(query), { status: 401, text: 'badauth\n' }, JSON.stringify(Object.keys(query)))
  const reader = await addToken({ permissions: ['records:write'] })
  t.match(await call({ ...good, password: reader }), { status: 403, text: 'badauth\n' })
  const elsewhere = await addToken({ restrictions: { ipRanges: ['198.51.100.0/24'] } })
  t.match(await call({ ...good, password: elsewhere }), { status: 403, text: 'badauth\n' })
  for (const url of ['/api/v1/domains', '/api/v1/acme/register', '/nic/checkip']) {
    const answer = await app.inject({ url, query: { username: 'root', password: token } })
    t.ok(url === '/nic/checkip' || answer.statusCode !== 200, `${url} does not take them`)
  }
})

void t.test('no log line has a password of a query, whatever became of the request', async (t) => {
  const query = { hostname: 'q.example.com', myip: '192.0.2.1', username: 'root' }
  const encoded = token.replace('zkp_', 'zkp%5F')
  await call({ ...query, password: token })
  await call({ ...query, password: token }, { headers: basic('root', 'wrong') })
  await call({ ...query, password: token, myip: 'x'.repeat(501) })
  await call({ ...query, password: token }, { path: '/nic/updates' })
  for (const url of [
    `/nic/update?hostname=q.example.com&pass%77ord=${encoded}&username=root`,
    `/nic/update?hostname=q.example.com&PASSWORD=${token}&username=root`,
    `/nic/update?hostname=%zz&username=root&password=${token}`,
  ])
    await app.inject({ url })
  await until('all are logged', () => log.join('').includes('/nic/updates'))
  const text = log.join('')
  t.match(text, 'password=[redacted]')
  t.match(text, 'username=root', 'the log is that of these requests')
  t.notOk(text.includes(token))
  t.notOk(text.includes(token.slice('zkp_'.length)))
})

void t.test('addresses by the names of other services', async (t) => {
  const hostname = 'names.example.com'
  t.equal(await said({ hostname, ip: '192.0.2.1' }), 'good 192.0.2.1')
  t.equal(await said({ hostname, myipv4: '192.0.2.2', ipv6: '2001:db8::2' }), 'good 192.0.2.2,2001:db8::2')
  t.same(both('names'), [['192.0.2.2'], ['2001:db8::2']])
  t.equal(await said({ hostname, ip: '', myipv4: '', ipv6: '' }), 'good 203.0.113.7', 'empty is not given')
  t.equal(await said({ hostname, ip: '0.0.0.0' }), 'dnserr')
  t.equal(await said({ hostname, myipv4: '192.0.2.1,x' }), 'dnserr')
  const many = Array.from({ length: 6 }, (_, n) => `192.0.2.${n}`).join(',')
  t.equal(await said({ hostname, myip: many, ip: '192.0.2.9,192.0.2.10,192.0.2.11', myipv4: many }), 'dnserr')
})

void t.test('preserve keeps the addresses of a family', async (t) => {
  const hostname = 'kept.example.com'
  const start = { hostname, myip: '192.0.2.1', myipv6: '2001:db8::1' }
  const cases: [Record<string, string>, string, string[][]][] = [
    [{ myip: '192.0.2.2', myipv6: 'preserve' }, 'good 192.0.2.2', [['192.0.2.2'], ['2001:db8::1']]],
    [{ myip: 'preserve', myipv6: '2001:db8::2' }, 'good 2001:db8::2', [['192.0.2.1'], ['2001:db8::2']]],
    [{ myipv4: 'Preserve', ipv6: '2001:db8::2' }, 'good 2001:db8::2', [['192.0.2.1'], ['2001:db8::2']]],
    [{ myip: 'preserve' }, 'nochg', [['192.0.2.1'], ['2001:db8::1']]],
    [{ ip: 'preserve', myipv6: 'preserve' }, 'nochg', [['192.0.2.1'], ['2001:db8::1']]],
    // The caller's address is the other family's.
    [{ myipv6: 'preserve' }, 'good 203.0.113.7', [['203.0.113.7'], ['2001:db8::1']]],
    [{ myipv4: 'preserve' }, 'nochg', [['192.0.2.1'], ['2001:db8::1']]],
    // Also where addresses of the family are given.
    [
      { myip: '192.0.2.2,2001:db8::2', myipv6: 'preserve' },
      'good 192.0.2.2',
      [['192.0.2.2'], ['2001:db8::1']],
    ],
    [{ ip6lanprefix: '2001:db8:5::/64', myipv6: 'preserve' }, 'nochg', [['192.0.2.1'], ['2001:db8::1']]],
    [{ myip: 'preserved' }, 'dnserr', [['192.0.2.1'], ['2001:db8::1']]],
  ]
  for (const [query, answer, kept] of cases) {
    await said(start)
    t.equal(await said({ hostname, ...query }), answer, JSON.stringify(query))
    t.same(both('kept'), kept, JSON.stringify(query))
  }
})

void t.test('offline deletes all addresses of the hosts; the next update brings them back', async (t) => {
  const hostname = 'gone.example.com,also.example.com;suffix=::10,never.example.com'
  await said({ hostname: 'gone.example.com', myip: '192.0.2.1,192.0.2.2,2001:db8::1' })
  await said({ hostname: 'also.example.com', myip: '192.0.2.3' })
  await add('TXT', 'gone', 'stays')
  await add('A', 'disabled', '192.0.2.99', { enabled: false })
  // Only the provider knows it.
  zone.putThere('gone', 'A', '192.0.2.77')
  const before = writes()
  t.equal(await said({ hostname, offline: 'YES', myip: '192.0.2.9' }), 'good\ngood\nnochg')
  t.equal(writes(), before + 1, 'one change')
  for (const name of ['gone', 'also', 'never']) t.same(both(name), [[], []], name)
  t.same(there('gone', 'TXT'), ['"stays"'])
  t.equal(await said({ hostname, offline: 'yes' }), 'nochg\nnochg\nnochg')
  t.equal(await said({ hostname: 'disabled.example.com', offline: 'YES' }), 'nochg', 'not served anyway')
  t.equal(writes(), before + 1)
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=1`)
  t.match(body.changes, [{ source: 'ddns' }])
  t.equal(await said({ hostname: 'gone.example.com', myip: '192.0.2.1' }), 'good 192.0.2.1')
  for (const offline of ['NOCHG', 'NO', '', '0', 'yes!'])
    t.equal(
      await said({ hostname: 'gone.example.com', myip: '192.0.2.1', offline }),
      'nochg 192.0.2.1',
      offline,
    )
  t.same(there('gone', 'A'), ['192.0.2.1'])
})

void t.test('offline is all or nothing: nobody takes away what they may not change', async (t) => {
  const hostname = 'safe.example.com'
  await said({ hostname, myip: '192.0.2.1,2001:db8::1' })
  const onlyA = await addToken({ restrictions: { recordTypes: ['A'], domainIds: [domainId] } })
  const other = await addToken({ restrictions: { namePatterns: ['other'], domainIds: [domainId] } })
  const text = await addToken({ restrictions: { recordTypes: ['TXT'], domainIds: [domainId] } })
  const before = writes()
  for (const password of [onlyA, other, text])
    t.equal(await said({ hostname, offline: 'YES' }, password), 'nohost')
  await add('CNAME', 'alias', 'www.example.org')
  const writesOfAlias = writes()
  t.equal(await said({ hostname: 'alias.example.com', offline: 'YES' }), 'dnserr')
  t.equal(await said({ hostname: 'x.example.org', offline: 'YES' }), 'nohost')
  t.equal(writes(), writesOfAlias)
  t.equal(writesOfAlias, before + 1)
  t.same(both('safe'), [['192.0.2.1'], ['2001:db8::1']])
  await said({ hostname: 'four.example.com', myip: '192.0.2.1' })
  t.equal(await said({ hostname: 'four.example.com', offline: 'YES' }, onlyA), 'good', 'it has no other')
  await zone.addUser('ada')
  const ada = await zone.signIn('ada')
  const assign = { domainId, username: 'ada', subdomainPattern: 'safe', permission: 'read' }
  await admin.post('/api/assignments', assign)
  const made = await ada.post('/api/auth/me/tokens', { name: 'r', permissions: ['ddns:update'] })
  const hers = basic('ada', made.body.token as string)
  t.same(await call({ hostname, offline: 'YES' }, { headers: hers }), { status: 200, text: 'nohost\n' })
})

void t.test('the description names the credentials in the query', (t) => {
  const { paths } = app.swagger() as unknown as { paths: Record<string, { get: { security: object[] } }> }
  t.match(paths['/nic/update']?.get.security, [
    {},
    {},
    { basicToken: ['ddns:update'] },
    { passwordInQuery: ['ddns:update'] },
  ])
  t.end()
})
