import pino from 'pino'
import t from 'tap'
import { AppError } from '../../../plugins/http/errors.ts'
import { loggerOptions, redactUrl } from '../../../plugins/http/logging.ts'
import { call, PASSWORD, startApp } from '../../helpers/app.ts'

const lines: string[] = []
const logger = pino(loggerOptions('trace'), { write: (line) => void lines.push(line) })

/** What was logged meanwhile. */
async function logOf(work: () => unknown): Promise<string> {
  const before = lines.length
  await work()
  return lines.slice(before).join('')
}

const { app, admin } = await startApp(t, {
  log: logger,
  extend(app) {
    const config = { access: 'public' } as const
    app.get('/test/stream', { config }, () => ({}))
    app.post('/test/fails', { config }, (request) => {
      throw Object.assign(new Error('unforeseen'), { config: { body: request.body, apiKey: 'hidden-key' } })
    })
    app.post('/test/refuses', { config }, (request) => {
      throw new AppError(409, 'conflict', 'No', { extra: { credentials: request.body } })
    })
  },
})

void t.test('79. no token, ticket or code of a query', async (t) => {
  for (const parameter of [
    'token',
    'ticket',
    'code',
    'state',
    'pending_token',
    'authCode',
    'access_token',
    'password',
  ]) {
    const log = await logOf(() => call(app, { url: `/test/stream?a=1&${parameter}=hidden%20value&b=2` }))
    t.match(log, /\/test\/stream\?a=1&[\w]+=\[redacted\]&b=2/, parameter)
    t.notMatch(log, /hidden/, parameter)
  }
  for (const url of [
    '/test/stream?TOKEN=hidden',
    '/test/stream?%74oken=hidden',
    '/nothing?token=hidden',
    '/%zz?token=hidden',
  ]) {
    const log = await logOf(() => call(app, { url }))
    t.notMatch(log, /hidden/, url)
    t.not(log, '', `${url} is logged`)
  }
  t.equal(redactUrl('/a?page=1&search=token'), '/a?page=1&search=token', 'what is no secret stays')
  t.equal(redactUrl('/a?b?token=c&d=e'), '/a?b?token=[redacted]&d=e')
  const long = `/a${'?'.repeat(1_000_000)}=`
  t.equal(redactUrl(long), long, 'in time linear in the length')
})

void t.test('79. no credentials of a sign-in, right or wrong', async (t) => {
  const login = (payload: object) => call(app, { method: 'POST', url: '/api/auth/login', payload })
  const log = await logOf(async () => {
    const { body } = await login({ username: 'root', password: PASSWORD })
    await call(app, {
      method: 'POST',
      url: '/api/auth/refresh',
      payload: { refreshToken: body.refreshToken },
    })
    lines.push(`known: ${body.refreshToken.length}`)
    t.notOk(lines.some((line) => line.includes(body.refreshToken) || line.includes(body.accessToken)))
    await login({ username: 'root', password: 'hidden wrong password' })
    await login({ username: 'root', password: 'hidden '.repeat(50) })
    await login({ username: 'root', password: ['hidden'] })
  })
  t.notMatch(log, /hidden|battery|argon2/)
})

void t.test('79. no headers that sign somebody in', async (t) => {
  const log = await logOf(async () => {
    await admin.get('/api/auth/me')
    const headers = { authorization: 'Bearer hidden-token', cookie: 'refresh_token=hidden-cookie' }
    await call(app, { url: '/api/auth/me', headers })
    await call(app, { method: 'POST', url: '/api/auth/refresh', headers })
  })
  t.notOk(log.includes(admin.accessToken))
  t.notMatch(log, /hidden/)
})

void t.test('the line of a request names the user by id', async (t) => {
  const userIn = async (work: () => unknown) => {
    const line = (await logOf(work)).trim().split('\n').at(-1) ?? ''
    return (JSON.parse(line) as { userId?: string }).userId
  }
  t.equal(await userIn(() => admin.get('/api/auth/me')), admin.userId)
  t.equal(await userIn(() => call(app, { url: '/test/stream' })), undefined, 'on a route for all: nobody')
  t.equal(await userIn(() => call(app, { url: '/api/auth/me' })), undefined, 'nor who is not signed in')
  t.equal(await userIn(() => call(app, { url: '/nothing' })), undefined)
})

void t.test('79. no bodies, neither with a refusal nor with a failure', async (t) => {
  const payload = { password: 'hidden-1', credentials: { apiKey: 'hidden-2' }, note: 'hidden-3' }
  for (const url of [
    '/test/fails',
    '/test/refuses',
    '/nothing',
    '/api/auth/login',
    '/api/auth/me/password',
  ]) {
    const log = await logOf(() => call(app, { method: 'POST', url, payload }))
    t.notMatch(log, /hidden/, url)
    t.match(log, `"url":"${url}"`, 'the request is')
  }
  const broken = '{"password":"hidden-4" "x"}'
  const headers = { 'content-type': 'application/json' }
  t.notMatch(
    await logOf(() => call(app, { method: 'POST', url: '/api/auth/login', payload: broken, headers })),
    /hidden/,
  )
})

void t.test('79. no credentials of a provider', async (t) => {
  const { body } = await admin.get('/api/providers')
  const powerdns = body.providers.find(({ key }: { key: string }) => key === 'powerdns')
  const log = await logOf(async () => {
    const config = await admin.post('/api/provider-configs', {
      providerId: powerdns.id,
      name: 'own',
      credentials: { apiUrl: 'http://127.0.0.1:1', apiKey: 'hidden-api-key' },
    })
    await admin.post(`/api/provider-configs/${config.body.id}/test`)
    await admin.get(`/api/provider-configs/${config.body.id}/zones`)
  })
  t.not(log, '')
  t.notMatch(log, /hidden/)
})

void t.test('a failure is logged with its stack and the id that the client got', async (t) => {
  let id = ''
  const log = await logOf(async () => {
    id = (await call(app, { method: 'POST', url: '/test/fails', payload: {} })).body.requestId
  })
  const line = log.split('\n').find((text) => text.includes('"level":50')) ?? '{}'
  t.match(JSON.parse(line), { reqId: id, err: { message: 'unforeseen', stack: /logging\.test/ } })
})

void t.test('a refusal is no error', async (t) => {
  t.notMatch(await logOf(() => call(app, { url: '/nothing' })), /"level":(40|50|60)/)
})

void t.test('80. what clients send can not forge a line', async (t) => {
  const log = await logOf(() =>
    call(app, { url: '/nothing%0a{"level":60}', headers: { 'user-agent': 'a\tb' } }),
  )
  for (const line of log.trim().split('\n')) t.doesNotThrow(() => void JSON.parse(line))
})
