import t from 'tap'
import { call, startApp } from '../../helpers/app.ts'
import { startZone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { app, admin, database, url, domainId } = zone
const known = (tag: unknown) => ({ headers: { 'if-none-match': String(tag) } })

void t.test('81. security headers', async (t) => {
  const { headers } = await admin.get('/api/auth/me')
  t.match(headers, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': /default-src 'none'/,
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  })
  t.notOk('x-powered-by' in headers)
  t.notOk('strict-transport-security' in headers, 'not on plain http')
  for (const url of ['/nothing', '/api/domains', '/healthz']) {
    t.match((await call(app, { url })).headers, {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  }
  const secure = await startApp(t, { environment: { SITE_URL: 'https://dns.example.com' }, database })
  const hsts = (await call(secure.app, { url: '/healthz' })).headers['strict-transport-security']
  t.ok(Number(/max-age=(\d+)/.exec(String(hsts))?.[1]) >= 31_536_000)
})

void t.test('82. CORS: the exact list', async (t) => {
  const site = await startApp(t, {
    environment: { SITE_URL: 'https://dns.example.com', CORS_ORIGINS: 'https://app.example.com' },
    database,
  })
  const ask = (origin: string, method = 'GET') =>
    call(site.app, {
      method: 'OPTIONS',
      url: '/api/auth/me',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization, content-type, if-match, idempotency-key',
      },
    })
  for (const origin of ['https://dns.example.com', 'https://app.example.com']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const { status, headers } = await ask(origin, method)
      t.equal(status, 204)
      t.match(headers, {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': new RegExp(`\\b${method}\\b`),
        'access-control-allow-headers': /if-match/i,
      })
    }
    const { headers } = await call(site.app, { url: '/healthz', headers: { origin } })
    t.match(headers, { 'access-control-allow-origin': origin, vary: /Origin/i })
    t.match(headers['access-control-expose-headers'], /Retry-After/)
  }
  for (const origin of [
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'null',
  ]) {
    t.notOk('access-control-allow-origin' in (await ask(origin)).headers, origin)
    const { headers } = await call(site.app, { url: '/healthz', headers: { origin } })
    t.notOk('access-control-allow-origin' in headers, origin)
  }
})

void t.test('what is known already is 304, without a body, until it changes', async (t) => {
  for (const path of ['/api/domains', `/api/domains/${domainId}`, url, '/api/dashboard']) {
    const first = await admin.get(path)
    t.match(first, { status: 200, headers: { etag: /^W\/"[\w-]{43}"$/ } }, path)
    const tag = String(first.headers['etag'])
    const again = await admin.get(path, known(tag))
    t.match(again, { status: 304, body: '', headers: { etag: tag } }, path)
    t.equal(again.headers['content-type'], undefined)
    t.equal((await admin.get(path, known(`"other", ${tag}`))).status, 304, 'one of several')
    t.equal((await admin.get(path, known('"other"'))).status, 200)
  }
  const before = (await admin.get(url)).headers['etag']
  await zone.add('A', 'new', '192.0.2.1')
  t.match(await admin.get(url, known(before)), { status: 200, body: { total: 1 } })
})

void t.test('rights are checked first, and errors have no tag', async (t) => {
  const tag = (await admin.get(url)).headers['etag']
  const anonymous = await call(app, { url, ...known(tag) })
  t.equal(anonymous.status, 401)
  t.equal(anonymous.headers['etag'], undefined)
})

void t.test('a list read in pages tells that the zone has changed meanwhile', async (t) => {
  const versionOf = async (path: string) => (await admin.get(path)).body.recordsVersion
  const listed = async () => (await admin.get('/api/domains')).body.domains[0].recordsVersion
  const version = await versionOf(url)
  t.type(version, 'number')
  t.equal(await versionOf(`/api/domains/${domainId}`), version)
  t.equal(await listed(), version)
  await zone.add('A', 'newer', '192.0.2.1')
  t.ok((await versionOf(url)) > version)
  t.equal(await listed(), await versionOf(`/api/domains/${domainId}`))
})
