import t from 'tap'
import { call, PASSWORD, startApp } from '../../helpers/app.ts'

/* Who a client is, is said by the last trusted proxy; it counts as an address only if it is one. */

const PROXY = '10.1.1.1'
const { app, admin, database } = await startApp(t, { environment: { TRUST_PROXY: `${PROXY},10.2.0.0/16` } })

const forwarded = (text: string) => ({ 'x-forwarded-for': text })
const seen = async (text: string, remoteAddress = PROXY) =>
  (await call(app, { url: '/nic/checkip', remoteAddress, headers: forwarded(text) })).body

void t.test('64. what a proxy forwards is brought into the form of an address', async (t) => {
  const cases: [sent: string, address: string][] = [
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:1234', '203.0.113.9'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:DB8:0::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8::1%eth0', '2001:db8::1'],
    ['198.51.100.1, 203.0.113.9:1', '203.0.113.9'],
    // A trusted proxy before another, with its port: who called it counts.
    ['203.0.113.9:5, 10.2.3.4:4444', '203.0.113.9'],
    ['203.0.113.9, ::ffff:10.2.3.4', '203.0.113.9'],
  ]
  for (const [sent, address] of cases) t.equal(await seen(sent), `${address}\n`, sent)
  t.equal(await seen('203.0.113.9', `::ffff:${PROXY}`), '203.0.113.9\n', 'of a socket for both families')
  t.equal(await seen('203.0.113.9', '::ffff:192.0.2.1'), '192.0.2.1\n', 'no proxy of ours')
})

void t.test('64. what is not an address does not count: the proxy does', async (t) => {
  for (const sent of [
    'not-an-ip',
    '<script>alert(1)</script>',
    'unknown',
    '_hidden',
    '203.0.113.9.1',
    '203.0.113.256',
    '0x7f.1',
    '2130706433',
    '010.1.1.1',
    '[203.0.113.9',
    '2001:db8::g',
    '203.0.113.9:port',
    '',
    ',',
  ])
    t.equal(await seen(sent), `${PROXY}\n`, sent)
  t.equal(await seen('not-an-ip, 10.2.3.4'), '10.2.3.4\n', 'the last proxy that is one')
})

void t.test('64. sessions, audit and the limits of tokens have the address', async (t) => {
  const payload = { username: 'root', password: PASSWORD }
  for (const [sent, ip] of [
    ['203.0.113.77:1234', '203.0.113.77'],
    ['<script>', PROXY],
  ] as const) {
    const signedIn = await call(app, {
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: PROXY,
      headers: forwarded(sent),
      payload,
    })
    const headers = { authorization: `Bearer ${signedIn.body.accessToken}` }
    const { sessions } = (await call(app, { url: '/api/auth/me/sessions', headers })).body
    t.match(
      sessions.filter((session: { current: boolean }) => session.current),
      [{ ip }],
    )
    const { entries } = (await admin.get('/api/audit?action=auth.login&limit=1')).body
    t.match(entries, [{ ip }])
  }

  const made = await admin.post('/api/auth/me/tokens', {
    name: 'from there',
    permissions: ['domains:read'],
    restrictions: { ipRanges: ['203.0.113.0/24'] },
  })
  const list = (text: string) =>
    call(app, {
      url: '/api/v1/domains',
      remoteAddress: PROXY,
      headers: { ...forwarded(text), authorization: `Bearer ${made.body.token}` },
    })
  t.equal((await list('203.0.113.5:999')).status, 200)
  t.equal((await list('198.51.100.5:999')).status, 403)
  t.equal((await list('not-an-ip')).status, 403)
})

void t.test('64. a port for each call is not a limit for each call', async (t) => {
  const environment = { TRUST_PROXY: PROXY, RATE_LIMIT: '3' }
  const limited = await startApp(t, { database, environment })
  const ask = async (text: string) =>
    (
      await call(limited.app, {
        url: '/api/site',
        remoteAddress: PROXY,
        headers: forwarded(text),
      })
    ).status
  for (const [port, status] of [200, 200, 200, 429].entries())
    t.equal(await ask(`203.0.113.80:${1000 + port}`), status)
  for (const [zone, status] of [200, 200, 200, 429].entries())
    t.equal(await ask(`fe80::1%zone${zone}`), status)
  for (const [n, status] of [200, 200, 200, 429].entries()) t.equal(await ask(`nonsense ${n}`), status)
})

void t.test('metrics are not for what a proxy on the machine forwards', async (t) => {
  const local = await startApp(t, { database, environment: { TRUST_PROXY: 'loopback' } })
  const ask = async (headers: Record<string, string>) =>
    (await call(local.app, { url: '/metrics', remoteAddress: '127.0.0.1', headers })).status
  t.equal(await ask({}), 200)
  for (const sent of ['nonsense', '127.0.0.1', '203.0.113.1']) t.equal(await ask(forwarded(sent)), 403, sent)
})
