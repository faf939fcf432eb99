import { mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { listen } from '../helpers/stream.ts'
import { startCaddy } from './caddy.ts'
import { ADMIN, call, databaseUrl, signIn, startZonekeeper } from './zonekeeper.ts'

/*
 * The reverse proxy configuration that we ship, run by the real Caddy before the real service. The only
 * difference from production is that it speaks http on a free loopback port.
 */
t.setTimeout(120_000)
const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-proxy-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))

const database = await createDatabase(t)
const service = await startZonekeeper({
  DATABASE_URL: databaseUrl(database.config),
  DATA_DIR: work,
  SITE_URL: 'https://dns.example.com',
  TRUST_PROXY: '127.0.0.1',
  RATE_LIMIT: '1000',
})
t.teardown(() => service.stop())
const proxyUrl = await startCaddy(t, new URL(service.url).host)

/** The path exactly as written: `fetch` would tidy it up. */
const statusOf = (rawPath: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(proxyUrl)
    const outgoing = request({ hostname, port, path: rawPath, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    outgoing.on('error', reject).end()
  })

/** How much of an answer is on the wire, for a client that reads gzip. */
const raw = (path: string, token: string) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: number }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    request(`${proxyUrl}${path}`, { headers }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes }))
    })
      .on('error', reject)
      .end()
  })

void t.test('what is for the public is passed on', async (t) => {
  t.match(await call(proxyUrl, 'GET', '/openapi.json'), { status: 200, body: { openapi: /^3\.1/ } })
  t.equal(await statusOf('/'), 200)
  t.equal(await statusOf('/guide/README.md'), 200)
  for (const page of ['confirm-email', 'reset-password', 'register'])
    t.equal(await statusOf(`/${page}?token=x`), 200, page)
  t.equal(await statusOf('/docs'), 200)
  for (const page of ['/sign-in', '/domains/x/records', '/account/profile', '/assets/index.js'])
    t.equal(await statusOf(page), (await call(service.url, 'GET', page)).status, `${page}, of the console`)
  t.equal(await statusOf('/docs/static/swagger-ui.css'), 200)
  t.match(await call(proxyUrl, 'POST', '/mcp'), { status: 401, body: { code: 'unauthenticated' } })
  t.match(await call(proxyUrl, 'GET', '/api/domains'), { status: 401, body: { code: 'unauthenticated' } })
  t.equal((await call(proxyUrl, 'GET', '/nic/checkip')).body, '127.0.0.1\n')
  for (const update of ['/nic/update', '/v3/update'])
    t.match(await call(proxyUrl, 'GET', update), { status: 401, body: 'badauth\n' })
  const external = await call(proxyUrl, 'GET', '/oauth/oidc')
  const direct = await call(service.url, 'GET', '/oauth/oidc')
  t.equal(external.status, direct.status, 'the sign-in redirect reaches the service')
  t.equal(external.headers.get('content-type'), direct.headers.get('content-type'))
})

void t.test('nothing else is', async (t) => {
  for (const inside of ['/metrics', '/healthz', '/readyz']) {
    t.equal((await call(service.url, 'GET', inside)).status, 200, `${inside} is there`)
    const outside = await call(proxyUrl, 'GET', inside)
    t.match(outside, { status: 404, body: '' }, `${inside} is not public`)
  }
  for (const path of ['//metrics', '/metrics/', '/metrics?x', '/metricsx', '/%68ealthz', '/readyz%2f'])
    t.match(
      await call(proxyUrl, 'GET', path),
      { status: 404, body: '' },
      `${path} does not reach the service`,
    )
  const refused = [
    '/guide',
    '/apis/domains',
    '/oauth',
    '/oauth/oidc/more',
    '/mcp/more',
    '/docsx',
    '/openapi.json.bak',
    '//metrics',
    '/./metrics',
    '/api/../metrics',
    '/api/%2e%2e/metrics',
    '/api/..%2fmetrics',
    '/docs/../healthz',
    '/guide/../healthz',
    '/metrics%2f',
    '/METRICS',
    '/%6detrics',
  ]
  for (const path of refused) t.equal(await statusOf(path), 404, path)
})

void t.test('answers are compressed, and keep their tag', async (t) => {
  const headers = { 'x-forwarded-for': '203.0.113.3' }
  const { accessToken: token } = await signIn(service.url, headers)
  const read = (more: Record<string, string>) =>
    call(proxyUrl, 'GET', '/api/providers', { token, headers: more })
  const first = await read({ 'accept-encoding': 'gzip' })
  t.equal(first.headers.get('content-encoding'), 'gzip')
  t.match(first.body, { providers: [{ id: String }] })
  const tag = first.headers.get('etag') ?? ''
  t.equal((await read({ 'accept-encoding': 'gzip', 'if-none-match': tag })).status, 304)
  t.equal((await read({ 'accept-encoding': 'zstd' })).headers.get('content-encoding'), 'zstd')
  t.equal((await read({ 'accept-encoding': 'identity' })).headers.get('content-encoding'), null)
})

void t.test('large lists and zone files are compressed, the stream of events is not', async (t) => {
  const session = await signIn(service.url, { 'x-forwarded-for': '203.0.113.4' })
  const { accessToken: token } = session
  const config = await session.post('/api/provider-configs', {
    providerId: '0192f0a0-0000-7000-8000-000000000001',
    name: 'Compressed',
  })
  const domain = await session.post('/api/domains', {
    name: 'compressed.example',
    providerConfigId: config.body.id,
  })
  const url = `/api/domains/${domain.body.id}/records`
  const zonefile = Array.from({ length: 900 }, (_, i) => `host-${i} 300 IN A 192.0.2.1\n`).join('')
  t.match(await session.post(`${url}/import`, { zonefile }), { status: 200 })
  for (const path of [`${url}?limit=1000`, `${url}/export`]) {
    const whole = await call(proxyUrl, 'GET', path, { token, headers: { 'accept-encoding': 'identity' } })
    const { status, headers, bytes } = await raw(path, token)
    t.match({ status, encoding: headers['content-encoding'] }, { status: 200, encoding: 'gzip' }, path)
    const text = typeof whole.body === 'string' ? whole.body : JSON.stringify(whole.body)
    t.ok(bytes < text.length / 4, `${path}: ${bytes} bytes of ${text.length}`)
    t.match(headers.vary, /accept-encoding/i)
  }

  const stream = await listen(proxyUrl, { token, headers: { 'accept-encoding': 'gzip, zstd' } })
  t.teardown(() => stream.close())
  await stream.count(1)
  t.match(stream.headers, { 'content-type': 'text/event-stream' })
  t.equal(stream.headers['content-encoding'], undefined)
  await session.post(url, { recordType: 'A', name: 'www', value: '192.0.2.1' })
  t.match((await stream.count(2)).at(-1), { event: 'record.created' }, 'each event goes out at once')
})

void t.test('64. who the client is cannot be forged', async (t) => {
  const session = await signIn(proxyUrl, { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=198.51.100.7' })
  const { body } = await session.get('/api/auth/me/sessions')
  t.match(body, { sessions: [{ ip: '127.0.0.1', current: true }] })

  const statuses = []
  for (let n = 1; n <= 12; n++) {
    const answer = await call(proxyUrl, 'POST', '/api/auth/login', {
      body: { username: `nobody${n}`, password: 'wrong' },
      headers: { 'x-forwarded-for': `198.51.100.${n}`, 'x-real-ip': `198.51.100.${n}` },
    })
    statuses.push(answer.status)
  }
  t.equal(statuses[0], 401)
  t.equal(statuses.at(-1), 429, 'all tries count for one address')
})

void t.test('cookies pass', async (t) => {
  // The tries of the test before count for this address.
  const direct = await call(service.url, 'POST', '/api/auth/login', {
    body: ADMIN,
    headers: { 'x-forwarded-for': '203.0.113.1' },
  })
  const cookie = (direct.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const answer = await call(proxyUrl, 'POST', '/api/auth/refresh', { headers: { cookie } })
  t.equal(answer.status, 200)
  t.match(answer.headers.get('set-cookie'), /^refresh_token=[^;]+;.*Path=\/api\/auth.*HttpOnly.*Secure/)
})

void t.test('a zone file of megabytes passes', async (t) => {
  const session = await signIn(service.url, { 'x-forwarded-for': '203.0.113.2' })
  const config = await session.post('/api/provider-configs', {
    providerId: '0192f0a0-0000-7000-8000-000000000001',
    name: 'Manual',
  })
  const domain = await session.post('/api/domains', {
    name: 'example.com',
    providerConfigId: (config.body as { id: string }).id,
  })
  const id = (domain.body as { id: string }).id
  const zonefile = `www 300 IN A 192.0.2.1\n${`;${'x'.repeat(99)}\n`.repeat(40_000)}`
  const answer = await call(proxyUrl, 'POST', `/api/domains/${id}/records/import`, {
    token: session.accessToken,
    body: { zonefile, dryRun: true },
  })
  t.match(answer, { status: 200, body: { plan: { creates: [{ after: { name: 'www' } }] } } })
})

void t.test('while the service is away, the proxy answers as it would', async (t) => {
  const alone = await startCaddy(t, '127.0.0.1:1')
  const answer = await call(alone, 'POST', '/api/auth/login', { body: ADMIN })
  t.match(answer, {
    status: 503,
    body: { status: 503, code: 'unavailable', outcome: 'unknown', retryAfter: 2, requestId: /^[\w-]{36}$/ },
  })
  t.match(answer.headers.get('content-type'), /^application\/problem\+json/)
  t.equal(answer.headers.get('retry-after'), '2')
  t.equal((await call(alone, 'GET', '/metrics')).status, 404)
})
