import t from 'tap'
import { json } from './simulators/issuer.ts'
import { startOpenId } from './helpers/openid.ts'
import { CLIENT_SECRET, startService } from './helpers/service.ts'
import { startServer } from '../conformance/simulators/server.ts'

/* The provider with explicit endpoints: against a certified server, and against one with ways of its own. */

const service = await startService(t)
const { db } = service.database
const openId = await startOpenId(t, `${service.url}/oauth/oidc`)

const endpoints = {
  authorizeUrl: `${openId.issuer}/auth`,
  tokenUrl: `${openId.issuer}/token`,
  userInfoUrl: `${openId.issuer}/me`,
}
const { id } = await service.configure('custom', endpoints)
const set = (changes: object) => service.admin.put(`/api/oauth/providers/${id}`, changes)

void t.test('against a certified server', async (t) => {
  const { user } = await service.enter('custom')
  t.match(user, { username: 'alice', email: 'alice@example.test' })
  t.equal((await service.enter('custom')).user.id, user.id)
  const { body } = await service.admin.post(`/api/oauth/providers/${id}/test`)
  t.match(body, {
    success: true,
    checks: [
      { name: 'credentials', ok: true },
      { name: 'userInfo', ok: true },
    ],
  })
})

void t.test('the secret in the body, or wrong', async (t) => {
  const { body } = await set({ tokenAuthMethod: 'post' })
  t.equal(body.tokenAuthMethod, 'post')
  t.ok((await service.authorize('custom'))['ticket'])
  await set({ tokenAuthMethod: null, clientSecret: 'wrong' })
  t.same(await service.authorize('custom'), { error: 'provider_error' })
  const report = await service.admin.post(`/api/oauth/providers/${id}/test`)
  t.match(report.body, { success: false, checks: [{ name: 'credentials', detail: /secret/ }] })
  await set({ clientSecret: 'a-secret-that-is-long-enough-for-everybody' })
  t.ok((await service.authorize('custom'))['ticket'])
})

void t.test('37. iss is compared once the issuer is configured', async (t) => {
  await set({ issuer: 'https://another.example' })
  t.same(await service.authorize('custom'), { error: 'provider_error' })
  await set({ issuer: openId.issuer })
  t.ok((await service.authorize('custom'))['ticket'])
  await set({ issuer: null })
})

void t.test('42. the subject comes from its field and from nowhere else', async (t) => {
  await set({ fields: { subject: 'id' } })
  t.same(await service.authorize('custom'), { error: 'provider_error' })
  await set({ fields: { subject: 'sub' } })
  t.ok((await service.authorize('custom'))['ticket'])
})

void t.test('a server with ways of its own', async (t) => {
  let info: unknown = { data: { id: 12345, mail: 'own@example.test', nick: 'Own', confirmed: true } }
  let reply: Record<string, unknown> = { access_token: 'own-token' }
  const server = await startServer(({ path, query, headers }) => {
    if (path === '/go') {
      const back = new URLSearchParams({ code: 'c', state: query.get('state') ?? '' })
      return { status: 302, headers: { location: `${query.get('redirect_uri')}?${back.toString()}` } }
    }
    if (path === '/token') return json(200, reply)
    return headers['authorization'] === 'Bearer own-token' ? json(200, info) : json(401, {})
  })
  t.teardown(() => server.close())
  await set({
    authorizeUrl: `${server.url}/go?tenant=7`,
    tokenUrl: `${server.url}/token`,
    userInfoUrl: `${server.url}/whoami`,
    clientSecret: CLIENT_SECRET,
    scope: '',
    fields: {
      subject: 'data.id',
      username: 'data.nick',
      displayName: 'data.nick',
      email: 'data.mail',
      emailVerified: 'data.confirmed',
    },
  })
  const { user } = await service.enter('custom')
  t.match(user, { username: 'own', email: 'own@example.test' })
  const row = await db
    .selectFrom('oauth_identities')
    .select('subject')
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  t.equal(row?.subject, '12345')
  t.equal(server.requests.find(({ path }) => path === '/go')?.query.get('tenant'), '7')

  for (const subject of [null, '', ' ', true, {}, [], 1.5, 2 ** 60, 'x'.repeat(256), undefined]) {
    info = { data: { id: subject, mail: 'own@example.test' } }
    t.same(await service.authorize('custom'), { error: 'provider_error' }, JSON.stringify(subject))
  }
  info = { data: { id: '12345' } }
  t.equal((await service.enter('custom')).user.id, user.id, 'text or number, the same subject')

  reply = { access_token: 'own-token', id_token: 'not.a.token', token_type: 'Bearer', expires_in: 'soon' }
  t.ok((await service.authorize('custom'))['ticket'], 'an ID token that nobody asked for is not looked at')
  for (const wrong of [
    {},
    { error: 'invalid_grant' },
    { access_token: '' },
    { access_token: 7 },
    { token: 'x' },
  ]) {
    reply = wrong
    t.same(await service.authorize('custom'), { error: 'provider_error' }, JSON.stringify(wrong))
  }
})

void t.test('85. an address that no browser may be sent to is the fault of the provider', async (t) => {
  await set({
    authorizeUrl: 'http://127.0.0.1:9/authorize',
    tokenUrl: 'https://login.example.com/token',
    userInfoUrl: 'https://login.example.com/me',
    clientSecret: CLIENT_SECRET,
  })
  t.same(await service.authorize('custom'), { error: 'provider_error' })
  t.match(await service.admin.post('/api/auth/oauth/custom/bind/start'), {
    status: 502,
    body: { code: 'provider_error' },
  })
})
