import { connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import underPressure from '@fastify/under-pressure'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { AppError } from '../plugins/errors.ts'
import { newPersonalToken } from '../plugins/access/personal-tokens.ts'
import errors from '../plugins/errors.ts'
import { call, startApp, type Answer, type TestApp } from './helpers/app.ts'

const { app, admin, addUser, signIn, database } = await startApp(t, { extend: addRoutes })

/** Routes that fail or wait in ways that ours do not on demand. */
function addRoutes(app: FastifyInstance): void {
  app.get('/test/admin', { config: { access: 'admin' } }, () => 'secret')
  app.get('/test/throws', { config: { access: 'public' } }, () => {
    throw Object.assign(new Error('select secret from users'), {
      detail: 'Key (email)=(a@b)',
      stack: 'at db.ts:1',
    })
  })
  app.get('/test/sql', { config: { access: 'public' } }, () =>
    app.db
      .selectFrom('no_such_table' as 'users')
      .selectAll()
      .execute(),
  )
  app.get('/test/rejects', { config: { access: 'public' } }, async () => {
    throw new AppError(409, 'conflict', 'As it is', { cause: new Error('hidden cause') })
  })
  app.get('/test/thrown-text', { config: { access: 'public' } }, () => {
    throw 'a text' as unknown as Error
  })
  app.get('/test/bad-answer', {
    config: { access: 'public' },
    schema: { response: { 200: Type.Object({ id: Type.String() }) } },
    handler: async () => ({}),
  })
  const Body = Type.Object({
    ttl: Type.Optional(Type.Integer()),
    note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    text: Type.Optional(Type.String()),
  })
  app.post('/test/echo', { config: { access: 'public' }, schema: { body: Body } }, (request) => ({
    body: request.body,
  }))
}

const post = (payload: string, headers: Record<string, string> = {}) =>
  call(app, {
    method: 'POST',
    url: '/test/echo',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })

function isProblem(t: Test, answer: Answer, status: number, code: string): void {
  t.equal(answer.status, status)
  t.match(answer.headers['content-type'], /^application\/problem\+json/)
  t.match(answer.body, { type: 'about:blank', title: /./, status, detail: /./, code, requestId: /./ })
  t.notMatch(JSON.stringify(answer.body), /\bat .*\.[tj]s|node_modules|select |FST_|stack/i)
}

void t.test('85. errors are problem documents', async (t) => {
  const requests: [what: string, options: InjectOptions, status: number, code: string][] = [
    ['no such path', { url: '/api/nothing' }, 404, 'not_found'],
    ['no such path, with a body', { method: 'POST', url: '/nothing', payload: { a: 1 } }, 404, 'not_found'],
    ['a method that the path has not', { method: 'PATCH', url: '/api/auth/me' }, 404, 'not_found'],
    ['a malformed path', { url: '/api/domains/%zz' }, 400, 'validation_failed'],
    ['an overlong parameter', { url: `/api/domains/${'x'.repeat(301)}` }, 414, 'validation_failed'],
    ['no token', { url: '/api/auth/me' }, 401, 'unauthenticated'],
    ['an error with a detail', { url: '/test/rejects' }, 409, 'conflict'],
    ['an unforeseen error', { url: '/test/throws' }, 500, 'internal'],
    ['an error of the database', { url: '/test/sql' }, 500, 'internal'],
    ['a thrown text', { url: '/test/thrown-text' }, 500, 'internal'],
    ['an answer that its schema does not allow', { url: '/test/bad-answer' }, 500, 'internal'],
  ]
  for (const [what, options, status, code] of requests) {
    await t.test(what, async (t) => isProblem(t, await call(app, options), status, code))
  }
  await t.test('a route for administrators', async (t) => {
    await addUser('somebody')
    const member = await signIn('somebody')
    isProblem(t, await member.get('/test/admin'), 403, 'forbidden')
    t.equal((await admin.get('/test/admin')).status, 200)
  })
})

void t.test('a request id names the answer in the log, each its own', async (t) => {
  const [one, other] = [await call(app, { url: '/nothing' }), await call(app, { url: '/nothing' })]
  t.match(one.body.requestId, /^[0-9a-f-]{36}$/)
  t.not(one.body.requestId, other.body.requestId)
  const forged = await call(app, { url: '/nothing', headers: { 'request-id': 'forged' } })
  t.not(forged.body.requestId, 'forged', 'the client does not choose it')
})

void t.test('66. bodies', async (t) => {
  await t.test('a wrong type names the field', async (t) => {
    const answer = await post('{"ttl":"300"}')
    isProblem(t, answer, 400, 'validation_failed')
    t.same(answer.body.errors, [{ path: '/ttl', message: 'must be integer' }])
    t.match(answer.body.detail, /ttl/)
  })
  await t.test('all wrong fields are named', async (t) => {
    const { body } = await post('{"ttl":"300","text":5}')
    t.same(body.errors.map((error: { path: string }) => error.path).sort(), ['/text', '/ttl'])
  })
  await t.test('a missing field is named', async (t) => {
    const answer = await call(app, { method: 'POST', url: '/api/auth/login', payload: { username: 'x' } })
    isProblem(t, answer, 400, 'validation_failed')
    t.same(answer.body.errors, [{ path: '/password', message: 'is required' }])
  })
  await t.test('nothing is coerced', async (t) => {
    for (const body of ['{"ttl":true}', '{"ttl":null}', '{"ttl":[1]}', '{"text":1}', '{"ttl":1.5}']) {
      t.match(await post(body), { status: 400 }, body)
    }
  })
  await t.test('null stays null', async (t) => {
    t.same((await post('{"note":null}')).body, { body: { note: null } })
  })
  await t.test('unknown properties are ignored', async (t) => {
    t.match(await post('{"ttl":1,"id":"x","role":"admin"}'), { status: 200 })
  })
  await t.test('a body in which nothing is known is refused', async (t) => {
    for (const body of ['{}', '{"tll":1}', '{"Ttl":1}']) {
      const answer = await post(body)
      isProblem(t, answer, 400, 'validation_failed')
      t.match(answer.body.detail, /ttl/)
    }
  })
  await t.test('a body that is no object is refused', async (t) => {
    for (const body of ['5', '"text"', '[]', 'null', ''])
      isProblem(t, await post(body), 400, 'validation_failed')
  })
})

void t.test('67. malformed bodies', async (t) => {
  await t.test('JSON that is none', async (t) => {
    for (const body of ['{', '{"ttl":1', "{'ttl':1}", '{"ttl":01}', '\ufeff{"ttl":', '{"text":"\n"}']) {
      const answer = await post(body)
      isProblem(t, answer, 400, 'validation_failed')
      t.notOk(answer.body.detail.includes(body), 'is not repeated')
    }
  })
  await t.test('__proto__', async (t) => {
    isProblem(t, await post('{"ttl":1,"__proto__":{"role":"admin"}}'), 400, 'validation_failed')
    isProblem(t, await post('{"ttl":1,"\\u005f_proto__":{}}'), 400, 'validation_failed')
    isProblem(t, await post('{"ttl":1,"constructor":{"prototype":{}}}'), 400, 'validation_failed')
  })
  await t.test('another content type', async (t) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'nonsense',
    ]) {
      isProblem(t, await post('{"ttl":1}', { 'content-type': type }), 415, 'unsupported_media_type')
    }
  })
  await t.test('text that can not be stored names its field', async (t) => {
    for (const text of ['a\\u0000b', '\\ud800', '\\udc00x', 'x\\uD83Dy']) {
      const answer = await post(`{"text":"${text}"}`)
      isProblem(t, answer, 400, 'validation_failed')
      t.equal(answer.body.errors[0].path, '/text')
    }
    t.match(await post('{"text":"\\ud83d\\ude00"}'), { body: { body: { text: '😀' } } }, 'a whole pair can')
    t.match(await post('{"text":"\\\\u0000"}'), { body: { body: { text: '\\u0000' } } }, 'and a backslash')
  })
  await t.test('86. too large', async (t) => {
    const answer = await post(JSON.stringify({ text: 'x'.repeat(1024 * 1024) }))
    isProblem(t, answer, 413, 'payload_too_large')
    t.match(await post(JSON.stringify({ text: 'x'.repeat(1024 * 1000) })), { status: 200 })
  })
  await t.test('86. nested too deeply', async (t) => {
    for (const depth of [33, 50_000]) {
      isProblem(
        t,
        await post(`{"ttl":1,"x":${'['.repeat(depth)}${']'.repeat(depth)}}`),
        400,
        'validation_failed',
      )
    }
    t.match(await post(`{"ttl":1,"x":${'['.repeat(31)}${']'.repeat(31)}}`), { status: 200 })
  })
})

void t.test('67. queries and parameters', async (t) => {
  await t.test('a wrong value names the parameter', async (t) => {
    for (const query of ['page=0', 'page=x', 'page=', 'limit=201', 'page=1.5']) {
      const answer = await admin.get(`/api/domains?${query}`)
      isProblem(t, answer, 400, 'validation_failed')
      t.equal(answer.body.errors[0].path, `/${query.split('=', 1)[0]}`)
    }
  })
  await t.test('a parameter given twice is refused', async (t) => {
    for (const query of ['page=1&page=2', 'search=a&search=b']) {
      isProblem(t, await admin.get(`/api/domains?${query}`), 400, 'validation_failed')
    }
  })
  await t.test('text becomes a number', async (t) => {
    t.match(await admin.get('/api/domains?page=2&limit=5'), { status: 200, body: { page: 2, limit: 5 } })
  })
  await t.test('NUL never reaches the database', async (t) => {
    const answer = await admin.get('/api/domains?search=%00')
    isProblem(t, answer, 400, 'validation_failed')
    t.equal(answer.body.errors[0].path, '/search')
    isProblem(t, await admin.get('/api/domains/%00'), 400, 'validation_failed')
  })
  await t.test('an id that is none is refused', async (t) => {
    const answer = await admin.get("/api/domains/1'%20or%201=1")
    isProblem(t, answer, 400, 'validation_failed')
    t.equal(answer.body.errors[0].path, '/id')
  })
})

void t.test('a JSON content type without a body is fine where none is needed', async (t) => {
  const headers = { 'content-type': 'application/json' }
  t.match(await admin.delete('/api/auth/me/sessions', { headers }), { status: 204 })
  t.match(await call(app, { method: 'POST', url: '/api/auth/refresh', headers }), { status: 401 })
})

void t.test('81. security headers', async (t) => {
  const { headers } = await admin.get('/api/auth/me')
  t.match(headers, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': /default-src 'none'/,
    'x-frame-options': /./,
    'cache-control': 'no-store',
  })
  t.notOk('x-powered-by' in headers)
  t.notOk('strict-transport-security' in headers, 'not on plain http')
  for (const url of ['/nothing', '/test/throws', '/healthz']) {
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

void t.test('59. a route without an access rule stops the start', async (t) => {
  const open = await buildApp(readConfig({ LOG_LEVEL: 'silent' }, '/dev/null'), {
    db: database.db,
    secretKeys: [Buffer.alloc(32, 7)],
    alone: true,
  })
  t.teardown(() => open.close())
  open.get('/forgotten', () => 'open')
  open.get('/named', { config: { access: 'public' } }, () => 'open')
  await open.register(async (inner) => {
    inner.post('/inner', { config: { rateLimit: false } }, () => 'open')
  })
  await t.rejects(Promise.resolve(open.ready()), {
    message: /rule: (?=.*GET \/forgotten)(?=.*POST \/inner)(?!.*named)/,
  })
})

type From = (remoteAddress: string, url?: string, headers?: Record<string, string>) => Promise<Answer>

/** An app that takes two requests a minute, and calls to it from an address. */
async function limited(t: Test, environment: Record<string, string>): Promise<TestApp & { from: From }> {
  const started = await startApp(t, { database, environment: { RATE_LIMIT: '2', ...environment } })
  const from: From = (remoteAddress, url = '/openapi.json', headers = {}) =>
    call(started.app, { url, remoteAddress, headers })
  return { ...started, from }
}

void t.test('63. rate limit', async (t) => {
  const { from, admin: client } = await limited(t, { TRUST_PROXY: '10.1.1.1' })
  const forwarded = (address: string) => ({ 'x-forwarded-for': address })

  await t.test('by address for those who are not signed in', async (t) => {
    for (let i = 0; i < 2; i++) t.equal((await from('192.0.2.1')).status, 200)
    const refused = await from('192.0.2.1')
    isProblem(t, refused, 429, 'rate_limited')
    const seconds = Number(refused.headers['retry-after'])
    t.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, 'Retry-After in seconds')
    t.equal((await from('192.0.2.2')).status, 200, 'another address goes on')
  })
  await t.test('paths that there are not count too', async (t) => {
    await from('192.0.2.3', '/nothing')
    await from('192.0.2.3', '/nothing')
    isProblem(t, await from('192.0.2.3', '/nothing'), 429, 'rate_limited')
  })
  await t.test('so do requests that are refused for lack of a token', async (t) => {
    t.equal((await from('192.0.2.4', '/api/auth/me')).status, 401)
    t.equal((await from('192.0.2.4', '/api/auth/me', { authorization: 'Bearer x' })).status, 401)
    isProblem(t, await from('192.0.2.4', '/api/auth/me'), 429, 'rate_limited')
  })
  await t.test('by user for those who are signed in', async (t) => {
    const headers = { authorization: `Bearer ${client.accessToken}` }
    t.equal((await from('192.0.2.5', '/api/auth/me', headers)).status, 200)
    t.equal((await from('192.0.2.6', '/api/auth/me', headers)).status, 200)
    t.equal((await from('192.0.2.7', '/api/auth/me', headers)).status, 429, 'wherever they are')
    t.equal((await from('192.0.2.5')).status, 200, 'their address is free')
  })
  await t.test('health is not limited', async (t) => {
    for (let i = 0; i < 5; i++) t.equal((await from('192.0.2.8', '/healthz')).status, 200)
  })
  await t.test('64. IPv6 by network', async (t) => {
    t.equal((await from('2001:db8:1:2::1')).status, 200)
    t.equal((await from('2001:db8:1:2:ffff::9')).status, 200)
    t.equal((await from('2001:db8:1:2:a:b:c:d')).status, 429, 'the same /64')
    t.equal((await from('2001:db8:1:3::1')).status, 200, 'the next one')
  })
  await t.test('64. a forwarded address counts from a trusted proxy only', async (t) => {
    t.equal((await from('192.0.2.9', undefined, forwarded('198.51.100.1'))).status, 200)
    t.equal((await from('192.0.2.9', undefined, forwarded('198.51.100.2'))).status, 200)
    t.equal((await from('192.0.2.9', undefined, forwarded('198.51.100.3'))).status, 429, 'no proxy of ours')
    for (const status of [200, 200, 429]) {
      t.equal((await from('10.1.1.1', undefined, forwarded('198.51.100.4'))).status, status)
    }
    t.equal((await from('10.1.1.1', undefined, forwarded('198.51.100.5'))).status, 200)
    const chain = forwarded('203.0.113.9, 198.51.100.4')
    t.equal((await from('10.1.1.1', undefined, chain)).status, 429, 'what the client claims does not count')
  })
  await t.test('metrics are not for whom a proxy calls anything', async (t) => {
    for (const address of ['192.0.2.1', 'nonsense']) {
      isProblem(t, await from('10.1.1.1', '/metrics', forwarded(address)), 403, 'forbidden')
    }
  })
  await t.test('64. without TRUST_PROXY nothing that is forwarded counts', async (t) => {
    const { from } = await limited(t, {})
    for (const [i, status] of [200, 200, 429].entries()) {
      t.equal((await from('127.0.0.1', undefined, forwarded(`198.51.100.${i}`))).status, status)
    }
  })
})

void t.test('health and readiness', async (t) => {
  t.match(await call(app, { url: '/healthz' }), { status: 200, body: { status: 'ok' } })
  t.match(await call(app, { url: '/readyz' }), { status: 200, body: { status: 'ok' } })
  const broken = await buildApp(readConfig({ LOG_LEVEL: 'silent' }, '/dev/null'), {
    db: (await import('../db/connect.ts')).connect({ host: '127.0.0.1', port: 1 }).db,
    secretKeys: [Buffer.alloc(32, 7)],
    alone: false,
  })
  t.teardown(() => broken.close())
  t.match(await call(broken, { url: '/healthz' }), { status: 200 })
  isProblem(t, await call(broken, { url: '/readyz' }), 503, 'unavailable')
  await t.test('85. what can not be checked is refused', async (t) => {
    const tokens = [broken.tokens.sign('access', admin.userId, admin.userId), newPersonalToken()]
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}` }
      isProblem(t, await call(broken, { url: '/api/v1/domains', headers }), 500, 'internal')
    }
    const payload = { username: 'root', password: 'correct horse battery staple' }
    const signIn = { method: 'POST', url: '/api/auth/login', payload } as const
    isProblem(t, await call(broken, signIn), 500, 'internal')
  })
})

void t.test('metrics', async (t) => {
  await t.test('for loopback', async (t) => {
    await admin.get('/api/auth/me')
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      const { status, body, headers } = await call(app, { url: '/metrics', remoteAddress })
      t.equal(status, 200)
      t.match(headers['content-type'], /^text\/plain/)
      t.match(
        body,
        /^http_request_duration_seconds_count\{method="GET",route="\/api\/auth\/me",status="200"\} \d/m,
      )
    }
    for (const remoteAddress of ['192.0.2.1', '10.0.0.1', '::ffff:10.0.0.1']) {
      isProblem(t, await call(app, { url: '/metrics', remoteAddress }), 403, 'forbidden')
    }
  })
  await t.test('or with METRICS_TOKEN', async (t) => {
    const { app: other } = await startApp(t, {
      database,
      environment: { METRICS_TOKEN: 'a-token-of-16-or-more' },
    })
    const ask = (authorization?: string) =>
      call(other, { url: '/metrics', headers: authorization === undefined ? {} : { authorization } })
    t.equal((await ask('Bearer a-token-of-16-or-more')).status, 200)
    isProblem(t, await ask('Bearer a-token-of-16-or-mora'), 403, 'forbidden')
    isProblem(t, await ask(), 403, 'forbidden')
  })
  await t.test('show no ids, users or queries', async (t) => {
    await admin.get('/api/domains?search=hidden-word')
    await call(app, { url: '/hidden-path' })
    const { body } = await call(app, { url: '/metrics' })
    t.notMatch(body, /hidden|root/)
  })
})

void t.test('86. load that can not be served gets 503 and a problem document', async (t) => {
  const pressed = Fastify()
  t.teardown(() => pressed.close())
  await pressed.register(errors)
  await pressed.register(underPressure, { maxRssBytes: 1, sampleInterval: 5, retryAfter: 2 })
  pressed.get('/', () => 'fine')
  await pressed.ready()
  let answer = await call(pressed, { url: '/' })
  for (let i = 0; i < 1_000 && answer.status === 200; i++) {
    await sleep(5)
    answer = await call(pressed, { url: '/' })
  }
  isProblem(t, answer, 503, 'unavailable')
  t.equal(answer.headers['retry-after'], '2')
})

/** The answer to raw bytes, when the server has closed the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

void t.test('85. what is no HTTP gets a problem document too', async (t) => {
  const { app: other } = await startApp(t, { database })
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.server.address() as AddressInfo
  const cases: [bytes: string, status: number][] = [
    ['nonsense\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
  ]
  for (const [bytes, status] of cases) {
    const answer = await exchange(port, bytes)
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    t.match(answer, 'Content-Type: application/problem+json')
    t.match(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''), { status, code: 'validation_failed' })
  }
})

void t.test('a stop lets requests in flight finish', async (t) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const { app: other } = await startApp(t, {
    database,
    extend: (app) =>
      app.get('/test/slow', { config: { access: 'public' } }, async () => {
        arrive()
        await released
        return { finished: true }
      }),
  })
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.server.address() as AddressInfo
  const idle = await openConnection(port)
  const busy = openConnection(port)
  const answer = readAll(await busy)
  ;(await busy).write('GET /test/slow HTTP/1.1\r\nHost: a\r\n\r\n')
  await arrived
  const idleClosed = new Promise((resolve) => idle.on('close', resolve))
  const closed = other.close()
  await idleClosed
  await t.rejects(openConnection(port), 'nobody new is taken')
  release()
  const text = await answer
  t.match(text, /^HTTP\/1.1 200 [^]*{"finished":true}/)
  await closed
})

const openConnection = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })

const readAll = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => resolve(text))
  })
