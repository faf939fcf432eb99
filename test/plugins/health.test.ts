import { setTimeout as sleep } from 'node:timers/promises'
import underPressure from '@fastify/under-pressure'
import Fastify from 'fastify'
import t from 'tap'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { connect } from '../../db/connection/connect.ts'
import { newPersonalToken } from '../../plugins/security/access/personal-tokens.ts'
import errors from '../../plugins/http/errors.ts'
import { call, startApp } from '../helpers/app.ts'
import { isProblem } from '../helpers/problem.ts'

const { app, admin, database } = await startApp(t)

void t.test('health and readiness', async (t) => {
  t.match(await call(app, { url: '/healthz' }), { status: 200, body: { status: 'ok' } })
  t.strictSame((await call(app, { url: '/readyz' })).body, {
    ready: true,
    state: 'ready',
    checks: [{ name: 'database', status: 'ok' }],
  })
  const broken = await buildApp(readConfig({ LOG_LEVEL: 'silent' }, '/dev/null'), {
    connection: connect({ host: '127.0.0.1', port: 1 }),
    secretKeys: [Buffer.alloc(32, 7)],
    alone: false,
  })
  t.teardown(() => broken.close())
  t.match(await call(broken, { url: '/healthz' }), { status: 200 })
  t.match(await call(broken, { url: '/readyz' }), {
    status: 503,
    body: { ready: false, state: 'unavailable', checks: [{ name: 'database', status: 'no_answer' }] },
  })
  await t.test('85. what can not be checked is refused', async (t) => {
    const tokens = [broken.tokens.sign('access', admin.userId, admin.userId), newPersonalToken()]
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}` }
      isProblem(t, await call(broken, { url: '/api/v1/domains', headers }), 503, 'unavailable')
    }
    const payload = { username: 'root', password: 'correct horse battery staple' }
    const signIn = { method: 'POST', url: '/api/auth/login', payload } as const
    isProblem(t, await call(broken, signIn), 503, 'unavailable')
  })
})

void t.test('an instance that is about to stop is not ready, but serves requests', async (t) => {
  const { app: other, admin: client } = await startApp(t)
  other.stopping.drain()
  const { status, body } = await call(other, { url: '/readyz' })
  t.equal(status, 503)
  t.strictSame(body, { ready: false, state: 'draining', checks: [] })
  t.equal((await call(other, { url: '/healthz' })).status, 200)
  t.equal((await client.get('/api/domains')).status, 200)
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
