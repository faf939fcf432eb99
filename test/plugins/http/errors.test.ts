import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { sql } from 'kysely'
import t from 'tap'
import { AppError } from '../../../plugins/http/errors.ts'
import { call, startApp } from '../../helpers/app.ts'
import { isProblem } from '../../helpers/problem.ts'

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
  app.get('/test/crossing/:first/:second', { config: { access: 'public' } }, async (request) => {
    const { first, second } = request.params as { first: string; second: string }
    await app.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${first}::int)`.execute(trx)
      await meet()
      await sql`select pg_advisory_xact_lock(${second}::int)`.execute(trx)
    })
    return { done: true }
  })
}

void t.test('85. errors are problem documents', async (t) => {
  const requests: [what: string, options: InjectOptions, status: number, code: string][] = [
    ['no such path', { url: '/api/nothing' }, 404, 'not_found'],
    ['no such path, with a body', { method: 'POST', url: '/nothing', payload: { a: 1 } }, 404, 'not_found'],
    ['a method that the path has not', { method: 'PATCH', url: '/api/auth/me' }, 405, 'method_not_allowed'],
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

void t.test('a value of another form is told by an example of the right one', async (t) => {
  const config = { botToken: 'not a token of a bot', chatId: '-1001234567890' }
  const channel = { name: 'Ops', channel: 'telegram', events: ['*'], config }
  const { errors } = (await admin.post('/api/notifications', channel)).body
  t.match(errors, [{ path: '/config/botToken', code: 'pattern', params: { pattern: String } }])
  t.match(errors[0].message, /^must have the form 110201543:\w+$/)
  for (const name of ['two\nlines', ' ']) {
    t.match((await admin.post('/api/notifications', { ...channel, name })).body.errors[0], {
      path: '/name',
      message: 'must be a single line and not blank',
    })
  }
  t.match((await admin.get('/api/domains/example.com')).body.errors, [
    { path: '/id', code: 'format', message: /^must have the form [0-9a-f]{8}-[0-9a-f-]{27}$/ },
  ])
})

void t.test('a method that a path has not is 405 and says which it has', async (t) => {
  const id = '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'
  const requests: [options: InjectOptions, allow: string][] = [
    [{ method: 'DELETE', url: '/api/domains' }, 'GET, HEAD, POST'],
    [{ method: 'DELETE', url: '/api/domains/?page=1' }, 'GET, HEAD, POST'],
    [{ method: 'POST', url: `/api/domains/${id}` }, 'DELETE, GET, HEAD, PUT'],
    [{ method: 'GET', url: '/api/auth/login' }, 'POST'],
    [{ method: 'PUT', url: '/openapi.json' }, 'GET, HEAD'],
  ]
  for (const [options, allow] of requests) {
    const answer = await call(app, options)
    isProblem(t, answer, 405, 'method_not_allowed')
    t.equal(answer.headers['allow'], allow, JSON.stringify(options))
  }
  const unknown = await call(app, { method: 'PUT', url: '/api/nothing' })
  isProblem(t, unknown, 404, 'not_found')
  t.notOk('allow' in unknown.headers)
})

void t.test('each 401 says how to sign in, and whether a token did not count', async (t) => {
  const refused = 'Bearer error="invalid_token"'
  const requests: [what: string, options: InjectOptions, challenge: string][] = [
    ['no token', { url: '/api/auth/me' }, 'Bearer'],
    ['a token', { url: '/api/auth/me', headers: { authorization: 'Bearer x' } }, refused],
    ['another scheme', { url: '/api/auth/me', headers: { authorization: 'Basic eDp5' } }, 'Bearer'],
    ['a personal token', { url: '/api/v1/domains', headers: { authorization: 'Bearer zkp_x' } }, refused],
    ['a token in the query', { url: '/api/notifications/stream?token=x' }, refused],
    ['none in the query', { url: '/api/notifications/stream' }, 'Bearer'],
    [
      'a wrong password',
      { method: 'POST', url: '/api/auth/login', payload: { username: 'nobody', password: 'wrong password' } },
      'Bearer',
    ],
  ]
  for (const [what, options, challenge] of requests) {
    const answer = await call(app, options)
    t.equal(answer.status, 401, what)
    t.equal(answer.headers['www-authenticate'], challenge, what)
  }
})

void t.test('a request id names the answer in the log, each its own', async (t) => {
  const [one, other] = [await call(app, { url: '/nothing' }), await call(app, { url: '/nothing' })]
  t.match(one.body.requestId, /^[0-9a-f-]{36}$/)
  t.not(one.body.requestId, other.body.requestId)
  const forged = await call(app, { url: '/nothing', headers: { 'request-id': 'forged' } })
  t.not(forged.body.requestId, 'forged', 'the client does not choose it')
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

let waiting: (() => void) | null = null

/** Goes on when two are here. */
function meet(): Promise<void> {
  if (waiting === null) return new Promise((resolve) => (waiting = resolve))
  waiting()
  return Promise.resolve()
}

void t.test(
  'of two changes that wait for each other one is done, and the other may be tried again',
  async (t) => {
    const answers = await Promise.all([
      call(app, { url: '/test/crossing/1/2' }),
      call(app, { url: '/test/crossing/2/1' }),
    ])
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status)
    t.equal(done?.status, 200)
    t.match(refused, { status: 503, body: { code: 'unavailable', requestId: /./ } })
    t.equal(refused?.headers['retry-after'], '1')
    t.equal((await admin.get('/api/auth/me')).status, 200)
  },
)
