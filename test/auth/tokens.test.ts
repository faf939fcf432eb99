import { setTimeout as sleep } from 'node:timers/promises'
import { createHmac, randomUUID } from 'node:crypto'
import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { createSecrets } from '../../plugins/security/secrets.ts'
import { call, startApp } from '../helpers/app.ts'

const KEY = Buffer.alloc(32, 7)
const OTHER_KEY = Buffer.alloc(32, 8)
const { app, admin, addUser, signIn, database } = await startApp(t)
const { db } = database

const [signing = { key: KEY }] = createSecrets([KEY]).signingKeys

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())

/** The header and the claims of a token of ours, to be changed. */
const [header, claims] = admin.accessToken.split('.').slice(0, 2).map(decode)

function forge(changes: object, headerChanges: object = {}, { key = signing.key, hash = 'sha256' } = {}) {
  const signed = `${encode({ ...header, ...headerChanges })}.${encode({ ...claims, ...changes })}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

const use = (token: string) =>
  call(app, { url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })

const now = Math.floor(Date.now() / 1000)

void t.test(
  'a token that is forged rightly counts: the others fail for what is wrong with them',
  async (t) => {
    t.equal((await use(forge({}))).status, 200)
  },
)

const UNACCEPTABLE: Record<string, string> = {
  '11. alg none': `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
  '11. alg none, with a signature': forge({}, { alg: 'none' }),
  '11. alg None': `${encode({ ...header, alg: 'None' })}.${encode(claims)}.`,
  '11. HS512': forge({}, { alg: 'HS512' }, { hash: 'sha512' }),
  '11. HS384': forge({}, { alg: 'HS384' }, { hash: 'sha384' }),
  '11. HS256 said, HS512 done': forge({}, {}, { hash: 'sha512' }),
  '11. RS256': forge({}, { alg: 'RS256' }),
  '11. no alg': forge({}, { alg: undefined }),
  'another key': forge({}, {}, { key: OTHER_KEY }),
  'SECRET_KEY itself': forge({}, {}, { key: KEY }),
  'no signature': `${encode(header)}.${encode(claims)}.`,
  'a signature cut off': admin.accessToken.slice(0, -4),
  'claims of another token': [
    encode(header),
    encode({ ...claims, sub: uuidv7() }),
    admin.accessToken.split('.')[2],
  ].join('.'),
  '12. no iss': forge({ iss: undefined }),
  '12. another iss': forge({ iss: 'evil' }),
  '12. no aud': forge({ aud: undefined }),
  '12. another aud': forge({ aud: 'evil' }),
  '12. aud of the second step': forge({ aud: 'zonekeeper:2fa' }),
  '12. several aud': forge({ aud: ['zonekeeper', 'evil'] }),
  '12. no exp': forge({ exp: undefined }),
  '12. exp as text': forge({ exp: String(claims.exp) }),
  '12. no sub': forge({ sub: undefined }),
  '12. sub no id': forge({ sub: 'root' }),
  '12. sub a number': forge({ sub: 1 }),
  '12. another sub': forge({ sub: uuidv7() }),
  '12. no sid': forge({ sid: undefined }),
  '12. sid no id': forge({ sid: "' or 1=1" }),
  '12. sid of no session': forge({ sid: uuidv7() }),
  '12. sid an object': forge({ sid: { a: 1 } }),
  '12. no jti': forge({ jti: undefined }),
  '12. nbf ahead': forge({ nbf: now + 3600 }),
  '12. no typ': forge({}, { typ: undefined }),
  '12. another typ': forge({}, { typ: 'JWT' }),
  '12. typ of the second step': forge({}, { typ: '2fa+jwt' }),
  '13. no kid': forge({}, { kid: undefined }),
  '13. kid of no key': forge({}, { kid: 'deadbeef' }),
  '13. kid a path': forge({}, { kid: '../../dev/null' }, { key: Buffer.alloc(0) }),
  '13. kid of a member of every object': forge({}, { kid: 'constructor' }),
  '13. kid __proto__': forge({}, { kid: '__proto__' }),
  '13. kid verify': forge({}, { kid: 'verify' }),
  '13. kid an object': forge({}, { kid: { a: 1 } }),
  '13. a key that comes along': forge(
    {},
    { kid: undefined, jwk: { kty: 'oct', k: OTHER_KEY.toString('base64url') } },
    { key: OTHER_KEY },
  ),
  '13. a key that is to be fetched': forge(
    {},
    { kid: undefined, jku: 'http://127.0.0.1:1/keys' },
    { key: OTHER_KEY },
  ),
  'an extension that must be understood': forge({}, { crit: ['exp', 'b64'], b64: false }),
  'claims that are no object': (() => {
    const signed = `${encode(header)}.${encode('text')}`
    return `${signed}.${createHmac('sha256', signing.key).update(signed).digest('base64url')}`
  })(),
  'claims that are no JSON': (() => {
    const signed = `${encode(header)}.bm9uc2Vuc2U`
    return `${signed}.${createHmac('sha256', signing.key).update(signed).digest('base64url')}`
  })(),
  'a header that is null': `${encode(null)}.${encode(claims)}.x`,
  'one part': 'nonsense',
  'five parts': 'a.b.c.d.e',
  'empty parts': '..',
  'a refresh token': admin.refreshToken,
  'a UUID': randomUUID(),
  'very long': `${'a'.repeat(5000)}.${'b'.repeat(5000)}.c`,
}

for (const [what, token] of Object.entries(UNACCEPTABLE)) {
  void t.test(`${what}: 401`, async (t) => {
    const answer = await use(token)
    t.match(answer, { status: 401, body: { status: 401, code: 'unauthenticated' } })
    t.notMatch(JSON.stringify(answer.body), /FAST_JWT|FST_|at .*\.js/)
  })
}

void t.test('12. an expired one says so, so that clients refresh', async (t) => {
  const expired = { iat: now - 1000, exp: now - 1 }
  t.match(await use(forge(expired)), { status: 401, body: { code: 'token_expired' } })
  t.match(await use(forge(expired, {}, { key: OTHER_KEY })), {
    status: 401,
    body: { code: 'unauthenticated' },
  })
})

void t.test('24. a temporary token opens nothing but the second step', async (t) => {
  const temp = app.tokens.sign('temp', admin.userId, uuidv7())
  for (const url of ['/api/auth/me', '/api/domains', '/api/auth/me/sessions']) {
    const answer = await call(app, { url, headers: { authorization: `Bearer ${temp}` } })
    t.match(answer, { status: 401, body: { code: 'unauthenticated' } })
  }
})

void t.test('key rotation: the first signs, all verify', async (t) => {
  const keys = (...list: Buffer[]) => ({ SECRET_KEY: list.map((key) => key.toString('base64')).join(',') })
  const rotated = await startApp(t, { database, environment: keys(OTHER_KEY, KEY) })
  const ask = (token: string, service = rotated.app) =>
    call(service, { url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })
  t.equal((await ask(admin.accessToken)).status, 200, 'a token of the old key counts still')
  t.not(decode(rotated.admin.accessToken.split('.')[0]).kid, header.kid, 'new ones have the new key')
  t.equal((await ask(rotated.admin.accessToken)).status, 200)
  t.match(await use(rotated.admin.accessToken), { status: 401 }, 'which an instance without it does not know')
  const done = await startApp(t, { database, environment: keys(OTHER_KEY) })
  t.match(await ask(admin.accessToken, done.app), { status: 401 }, 'without the old key its tokens end')
  t.equal((await ask(rotated.admin.accessToken, done.app)).status, 200)
  const payload = { refreshToken: admin.refreshToken }
  const refreshed = await call(done.app, { method: 'POST', url: '/api/auth/refresh', payload })
  t.equal(refreshed.status, 200, 'sessions go on')
})

void t.test('19. 62. what changes about a user counts on the next request', async (t) => {
  const open = await startApp(t, { database, alone: false })
  // The other instance hears of it.
  const told = () => sleep(100)
  const ask = async (token: string, url: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return [(await call(app, { url, headers })).status, (await call(open.app, { url, headers })).status]
  }
  const changed = async (
    id: string,
    set: Partial<{ role: 'admin' | 'member'; disabled_at: Date | null }>,
  ) => {
    await db.updateTable('users').set(set).where('id', '=', id).execute()
    app.events.emit('user.changed', { userId: id })
    await told()
  }

  await t.test('disabled', async (t) => {
    const id = await addUser('blocked')
    const { accessToken } = await signIn('blocked')
    t.same(await ask(accessToken, '/api/auth/me'), [200, 200])
    await changed(id, { disabled_at: new Date() })
    t.same(await ask(accessToken, '/api/auth/me'), [401, 401])
    await changed(id, { disabled_at: null })
    t.same(await ask(accessToken, '/api/auth/me'), [200, 200])
  })
  await t.test('deleted', async (t) => {
    const id = await addUser('deleted')
    const { accessToken } = await signIn('deleted')
    t.same(await ask(accessToken, '/api/auth/me'), [200, 200])
    await db.deleteFrom('users').where('id', '=', id).execute()
    app.events.emit('user.changed', { userId: id })
    await told()
    t.same(await ask(accessToken, '/api/auth/me'), [401, 401])
  })
  await t.test('session ended on another instance', async (t) => {
    await addUser('elsewhere')
    const { accessToken, delete: end } = await signIn('elsewhere')
    t.same(await ask(accessToken, '/api/auth/me'), [200, 200])
    const { sid } = decode(accessToken.split('.')[1])
    t.match(await end(`/api/auth/me/sessions/${sid}`), { status: 204 })
    await told()
    t.same(await ask(accessToken, '/api/auth/me'), [401, 401])
  })
  await t.test('role', async (t) => {
    const extend = (service: typeof app) =>
      service.get('/test/admin', { config: { access: 'admin' } }, (request) => request.principal.role)
    const [alone, shared] = [
      await startApp(t, { database, extend }),
      await startApp(t, { database, extend, alone: false }),
    ]
    const id = await addUser('promoted')
    const { accessToken } = await signIn('promoted')
    const headers = { authorization: `Bearer ${accessToken}` }
    const statuses = async () => [
      (await call(alone.app, { url: '/test/admin', headers })).status,
      (await call(shared.app, { url: '/test/admin', headers })).status,
    ]
    t.same(await statuses(), [403, 403])
    for (const [role, status] of [
      ['admin', 200],
      ['member', 403],
    ] as const) {
      await db.updateTable('users').set({ role }).where('id', '=', id).execute()
      alone.app.events.emit('user.changed', { userId: id })
      await told()
      t.same(await statuses(), [status, status], role)
    }
  })
})
