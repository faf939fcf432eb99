import { Type } from '@sinclair/typebox'
import t from 'tap'
import { call, startApp } from '../../helpers/app.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { isProblem } from '../../helpers/problem.ts'

const { app, admin } = await startApp(t, {
  extend(app) {
    const Body = Type.Object({
      ttl: Type.Optional(Type.Integer()),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      text: Type.Optional(Type.String()),
    })
    const config = { access: 'public' } as const
    app.post('/test/echo', { config, bodyLimit: 1024 * 1024, schema: { body: Body } }, (request) => ({
      body: request.body,
    }))
  },
})

const post = (payload: string, headers: Record<string, string> = {}) =>
  call(app, {
    method: 'POST',
    url: '/test/echo',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })

void t.test('66. bodies', async (t) => {
  await t.test('a wrong type names the field', async (t) => {
    const answer = await post('{"ttl":"300"}')
    isProblem(t, answer, 400, 'validation_failed')
    t.same(answer.body.errors, [
      { path: '/ttl', message: 'must be a whole number', code: 'type', params: { type: 'integer' } },
    ])
    t.match(answer.body.detail, /ttl/)
  })
  await t.test('all wrong fields are named', async (t) => {
    const { body } = await post('{"ttl":"300","text":5}')
    t.same(body.errors.map((error: { path: string }) => error.path).sort(), ['/text', '/ttl'])
  })
  await t.test('in plain words', async (t) => {
    const answer = await admin.post('/api/users', { username: 'ada', password: 'short', role: 'king' })
    isProblem(t, answer, 400, 'validation_failed')
    const said = answer.body.errors.map(({ path, message }: FieldError) => `${path} ${message}`)
    t.same(said.sort(), ['/password must have at least 8 characters', '/role must be one of: admin, member'])
  })
  await t.test('once where two rules say the same', async (t) => {
    const token = { name: 'x', permissions: ['domains:read'], expiresAt: 'soon' }
    const { body } = await admin.post('/api/auth/me/tokens', token)
    t.match(body.detail, /^expiresAt must have the form [^;]*$/)
    t.equal(body.errors.length, 2)
  })
  await t.test('what is not UTF-8 is refused, not replaced', async (t) => {
    const payload = Buffer.from('{"text":"caf\xe9"}', 'latin1')
    const headers = { 'content-type': 'application/json' }
    const answer = await call(app, { method: 'POST', url: '/test/echo', payload, headers })
    isProblem(t, answer, 400, 'validation_failed')
    t.equal(answer.body.detail, 'body: must be UTF-8')
  })
  await t.test('a missing field is named', async (t) => {
    const answer = await call(app, { method: 'POST', url: '/api/auth/login', payload: { username: 'x' } })
    isProblem(t, answer, 400, 'validation_failed')
    t.same(answer.body.errors, [{ path: '/password', message: 'is required', code: 'required' }])
  })
  await t.test('nothing is coerced', async (t) => {
    for (const body of ['{"ttl":true}', '{"ttl":null}', '{"ttl":[1]}', '{"text":1}', '{"ttl":1.5}']) {
      t.match(await post(body), { status: 400 }, body)
    }
  })
  await t.test('null stays null', async (t) => {
    t.same((await post('{"note":null}')).body, { body: { note: null } })
  })
  await t.test('unknown members are refused, with the nearest known one', async (t) => {
    const answer = await post('{"ttl":1,"tetx":"x"}')
    isProblem(t, answer, 400, 'validation_failed')
    t.match(answer.body.errors, [{ path: '/tetx', code: 'unknown_member', params: { nearest: 'text' } }])
    t.equal(answer.body.errors.length, 1)
  })
  await t.test('a body in which nothing is known is refused', async (t) => {
    for (const body of ['{}', '{"tll":1}', '{"Ttl":1}']) {
      const answer = await post(body)
      isProblem(t, answer, 400, 'validation_failed')
      t.match(answer.body.detail, /ttl/i)
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
      const answer = await post('{"ttl":1}', { 'content-type': type })
      isProblem(t, answer, 415, 'unsupported_media_type')
      t.match(answer.body.detail, /application\/json/, 'it says what would do')
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
    const deep = await post(`{"ttl":1,"x":${'['.repeat(31)}${']'.repeat(31)}}`)
    t.match(deep.body.errors, [{ path: '/x', code: 'unknown_member' }], 'of no such depth')
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
