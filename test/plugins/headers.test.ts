import t from 'tap'
import { call, startApp } from '../helpers/app.ts'

const { app, admin, database } = await startApp(t)

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
