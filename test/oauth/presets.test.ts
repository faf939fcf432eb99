import t from 'tap'
import { startChatA } from './simulators/dingtalk.ts'
import { startChatB } from './simulators/feishu.ts'
import { startCodehostA } from './simulators/github.ts'
import { startCodehostB } from './simulators/gitlab.ts'
import { startIssuer } from './simulators/issuer.ts'
import { startService } from './helpers/service.ts'

/* The presets, each against a fake that behaves on the wire as the provider does. */

const service = await startService(t)
const { db } = service.database

const identityOf = (userId: string) =>
  db.selectFrom('oauth_identities').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()

const disable = (id: string) => service.admin.put(`/api/oauth/providers/${id}`, { enabled: false })

const callbackOf = (id: string) => `${service.url}/api/auth/oauth/${id}/callback`

const FAILED = { error: 'provider_error' }

void t.test('codehost_a: GitHub', async (t) => {
  const hub = await startCodehostA(t)
  const { id, redirectUrl } = await service.configure('codehost_a', hub.endpoints)
  t.equal(redirectUrl, callbackOf('codehost_a'))

  const { user } = await service.enter('codehost_a')
  t.match(user, { username: 'octocat', email: 'octo@example.test' })
  const identity = await identityOf(user.id)
  t.match(identity, {
    subject: '583231',
    email: 'octo@example.test',
    email_verified: true,
    display_name: 'Octo Cat',
  })

  hub.fake.user = { ...hub.fake.user, login: 'renamed', name: null }
  t.equal(
    (await service.enter('codehost_a')).user.id,
    user.id,
    '42. the number tells who it is, not the name',
  )

  hub.fake.sendsIss = false
  t.ok((await service.authorize('codehost_a'))['ticket'], 'iss may be missing')
  hub.fake.sendsIss = true

  hub.fake.denies = true
  t.same(await service.authorize('codehost_a'), { error: 'access_denied' })
  hub.fake.denies = false

  hub.fake.user = { id: 7, login: 'private', email: 'public@example.test' }
  hub.fake.emailsStatus = 403
  t.match(
    (await service.enter('codehost_a')).user,
    { username: 'private', email: null },
    'without the list: no address',
  )
  hub.fake.user = { id: 8, login: 'unproved', email: 'octo8@example.test' }
  hub.fake.emailsStatus = 200
  hub.fake.emails = [{ email: 'octo8@example.test', primary: true, verified: false }]
  t.equal((await service.enter('codehost_a')).user.email, null, '54. unverified')

  for (const wrong of [{ login: 'x' }, { id: 'text' }, { id: null }, []]) {
    hub.fake.user = wrong as never
    t.same(await service.authorize('codehost_a'), FAILED, JSON.stringify(wrong))
  }
  hub.fake.user = { id: 583231, login: 'octocat' }
  const token = '/login/oauth/access_token'
  for (const body of [
    '{"error":"bad_verification_code"}',
    'error=bad_verification_code',
    '{}',
    '<html>',
    '[]',
    '',
  ]) {
    hub.fail({
      kind: 'answer',
      on: ({ path }) => path === token,
      answer: { status: 200, headers: { 'content-type': 'application/json' }, body },
    })
    t.same(await service.authorize('codehost_a'), FAILED, `200 ${body}`)
  }
  hub.fail({
    kind: 'answer',
    on: ({ path }) => path === token,
    answer: {
      status: 200,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'access_token=gho_token&scope=user&token_type=bearer',
    },
  })
  t.ok((await service.authorize('codehost_a'))['ticket'], 'a reply as a form')

  const test = () => service.admin.post(`/api/oauth/providers/${id}/test`).then(({ body }) => body)
  t.match(await test(), { success: true, redirectUrl })
  await service.admin.put(`/api/oauth/providers/${id}`, { clientSecret: 'wrong' })
  t.match(await test(), {
    success: false,
    checks: [{ name: 'credentials', detail: /client id or client secret/ }],
  })
  t.same(await service.authorize('codehost_a'), FAILED, 'wrong secret')
})

void t.test('codehost_b: GitLab by OpenID Connect', async (t) => {
  const lab = await startIssuer(t)
  lab.person = { sub: '77', preferred_username: 'tanuki', email: 'tanuki@example.test', email_verified: true }
  const { id } = await service.configure('codehost_b', { wellKnownUrl: lab.issuer })
  const { user } = await service.enter('codehost_b')
  t.match(user, { username: 'tanuki', email: 'tanuki@example.test' })
  t.match(await identityOf(user.id), { subject: '77' })
  await disable(id)
  t.same(await service.authorize('codehost_b'), { error: 'provider_disabled' })
  await service.admin.delete(`/api/oauth/providers/${id}`, { headers: { 'x-confirm-delete': 'true' } })
})

void t.test('codehost_b: GitLab by its REST API', async (t) => {
  const lab = await startCodehostB(t)
  const { id } = await service.configure('codehost_b', { userInfoUrl: lab.userInfoUrl, scope: 'read_user' })
  const { user } = await service.enter('codehost_b')
  t.match(user, { username: 'gl', email: null }, '54. nobody vouches for the address')
  t.match(await identityOf(user.id), { subject: '42', email: 'gl@example.test', email_verified: false })
  for (const change of [
    { state: 'blocked' },
    { state: 'active', locked: true },
    { state: undefined },
    { id: '42' },
  ]) {
    const before = lab.fake.user
    lab.fake.user = { ...before, ...change }
    t.same(await service.authorize('codehost_b'), FAILED, JSON.stringify(change))
    lab.fake.user = before
  }
  t.equal((await service.enter('codehost_b')).user.id, user.id)
  const { body } = await service.admin.post(`/api/oauth/providers/${id}/test`)
  t.match(body, { success: true })
})

void t.test('idp_a: Google', async (t) => {
  const google = await startIssuer(t)
  google.person = {
    sub: '1098',
    email: 'g@example.test',
    email_verified: true,
    name: 'Gee',
    hd: 'example.test',
  }
  await service.configure('idp_a', { wellKnownUrl: google.wellKnownUrl })
  const { user } = await service.enter('idp_a')
  t.match(user, { username: 'g', email: 'g@example.test' })
  google.lies = { claims: (claims) => ({ ...claims, iss: 'https://accounts.evil.example' }) }
  t.same(await service.authorize('idp_a'), FAILED)
  google.lies = {}
  t.ok((await service.authorize('idp_a'))['ticket'])
})

void t.test('chat_a: DingTalk', async (t) => {
  const ding = await startChatA(t)
  const { id } = await service.configure('chat_a', ding.endpoints)
  const { user } = await service.enter('chat_a')
  t.match(user, { username: 'ding', email: null })
  t.match(await identityOf(user.id), {
    subject: 'union-1',
    email: 'ding@example.test',
    email_verified: false,
    avatar: 'https://static.example.test/ding.jpg',
  })
  for (const names of [['authCode'], ['code']]) {
    ding.fake.codeNames = names
    t.ok((await service.authorize('chat_a'))['ticket'], names[0] ?? '')
  }
  ding.fake.codeNames = []
  t.same(await service.authorize('chat_a'), FAILED, 'no code')
  ding.fake.codeNames = ['code']

  const token = ding.endpoints.tokenUrl.slice(ding.url.length)
  for (const body of [
    '{"code":"Throttling","message":"x"}',
    '{"code":40078}',
    '{"accessToken":7}',
    '<html>',
  ]) {
    ding.fail({ kind: 'answer', on: ({ path }) => path === token, answer: { status: 400, body } })
    t.same(await service.authorize('chat_a'), FAILED, body)
  }
  ding.fake.user = { ...ding.fake.user, unionId: undefined }
  t.same(await service.authorize('chat_a'), FAILED, 'openId is no subject')
  ding.fake.user = { ...ding.fake.user, unionId: 'union-1' }
  t.equal((await service.enter('chat_a')).user.id, user.id)

  const test = () => service.admin.post(`/api/oauth/providers/${id}/test`).then(({ body }) => body)
  t.match(await test(), { success: true })
  await service.admin.put(`/api/oauth/providers/${id}`, { clientSecret: 'wrong' })
  t.match(await test(), { success: false })
})

void t.test('chat_b: Feishu', async (t) => {
  const fei = await startChatB(t)
  const { id } = await service.configure('chat_b', fei.endpoints)
  const { user } = await service.enter('chat_b')
  t.match(user, { username: 'fei', email: null })
  t.match(await identityOf(user.id), {
    subject: 'tenant:on-1',
    email: 'fei@example.test',
    email_verified: false,
  })

  fei.fake.denies = true
  t.same(await service.authorize('chat_b'), { error: 'access_denied' })
  fei.fake.denies = false
  for (const code of [20005, 20008, 20021, 20022]) {
    fei.fake.code = code
    t.same(await service.authorize('chat_b'), FAILED, `user info ${code}`)
  }
  fei.fake.code = 0
  const token = '/open-apis/authen/v2/oauth/token'
  for (const [status, body] of [
    [400, '{"code":20003,"error":"invalid_grant"}'],
    [400, '{"code":20004,"error":"invalid_grant"}'],
    [200, '{"code":20050,"error":"server_error"}'],
    [200, '{"code":0}'],
    [500, 'oops'],
  ] as const) {
    fei.fail({ kind: 'answer', on: ({ path }) => path === token, answer: { status, body } })
    t.same(await service.authorize('chat_b'), FAILED, body)
  }
  fei.fake.user = { ...fei.fake.user, union_id: '' }
  t.same(await service.authorize('chat_b'), FAILED, 'no union_id')
  fei.fake.user = { ...fei.fake.user, union_id: 'on-1' }
  t.equal((await service.enter('chat_b')).user.id, user.id)

  const test = () => service.admin.post(`/api/oauth/providers/${id}/test`).then(({ body }) => body)
  t.match(await test(), { success: true })
  await service.admin.put(`/api/oauth/providers/${id}`, { clientSecret: 'wrong' })
  t.match(await test(), { success: false })
})
