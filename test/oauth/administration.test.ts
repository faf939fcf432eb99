import { sql } from 'kysely'
import t from 'tap'
import { maskMiddle } from '../../plugins/security/masks.ts'
import { call, startApp } from '../helpers/app.ts'

const SITE = 'https://dns.example.com'
const { app, admin, addUser, signIn, database } = await startApp(t, { environment: { SITE_URL: SITE } })
const { db } = database
await addUser('ada')
const member = await signIn('ada')

const SECRET = 'the-client-secret-itself'
const WELL_KNOWN = 'https://login.example.com/.well-known/openid-configuration'
const oidc = {
  providerId: 'oidc',
  clientId: 'zonekeeper-production-1',
  clientSecret: SECRET,
  wellKnownUrl: WELL_KNOWN,
  authorizeUrl: null,
  tokenUrl: null,
  userInfoUrl: null,
  scope: 'openid profile email',
  enabled: true,
}
const clean = () => sql`delete from oauth_providers`.execute(db)

void t.test('create, read, list, to the letter', async (t) => {
  const created = await admin.post('/api/oauth/providers', oidc)
  t.equal(created.status, 201)
  t.equal(created.headers['location'], `/api/oauth/providers/${created.body.id}`)
  t.match(created.body, {
    providerId: 'oidc',
    enabled: true,
    clientIdMasked: 'zone••••on-1',
    scope: 'openid profile email',
    wellKnownUrl: WELL_KNOWN,
    authorizeUrl: null,
    tokenUrl: null,
    userInfoUrl: null,
    homepageUrl: SITE,
    redirectUrl: `${SITE}/oauth/oidc`,
  })
  t.same((await admin.get(`/api/oauth/providers/${created.body.id}`)).body, created.body)
  const list = await member.get('/api/oauth/providers')
  t.equal(list.status, 200, 'whoever is signed in')
  t.same(list.body.providers, [created.body])
  t.equal(list.body.homepageUrl, SITE)
  t.same(list.body.oidcUrls, { homepageUrl: SITE, redirectUrl: `${SITE}/oauth/oidc` })
  t.same(
    list.body.availableProviders.map(({ id, type }: { id: string; type: string }) => `${id} ${type}`),
    [
      'oidc oidc',
      'custom oauth2',
      'codehost_a oauth2',
      'codehost_b oauth2',
      'idp_a oauth2',
      'chat_a oauth2',
      'chat_b oauth2',
    ],
  )
  t.match(list.body.availableProviders[2], { name: 'GitHub' })
})

void t.test('the public list: only what is enabled, and nothing else about it', async (t) => {
  const list = () => call(app, { method: 'GET', url: '/api/auth/oauth/providers' })
  t.same((await list()).body, { providers: [{ providerId: 'oidc', name: 'OpenID Connect', type: 'oidc' }] })
  const { body } = await admin.get('/api/oauth/providers')
  const path = `/api/oauth/providers/${body.providers[0].id}`
  await admin.put(path, { enabled: false })
  t.same((await list()).body, { providers: [] })
  await admin.put(path, { enabled: true, name: 'Company login' })
  t.same((await list()).body, { providers: [{ providerId: 'oidc', name: 'Company login', type: 'oidc' }] })
})

void t.test('callback-url, also before anything is configured', async (t) => {
  for (const id of ['oidc', 'custom', 'codehost_a', 'codehost_b', 'idp_a', 'chat_a', 'chat_b']) {
    const redirectUrl = ['oidc', 'custom'].includes(id)
      ? `${SITE}/oauth/oidc`
      : `${SITE}/api/auth/oauth/${id}/callback`
    const { body } = await call(app, { method: 'GET', url: `/api/auth/oauth/${id}/callback-url` })
    t.same(body, { providerId: id, homepageUrl: SITE, redirectUrl, siteUrl: SITE, callbackUrl: redirectUrl })
  }
  t.equal((await call(app, { method: 'GET', url: '/api/auth/oauth/x/callback-url' })).status, 404)
})

void t.test('77. an empty secret stays, and is nowhere to be seen', async (t) => {
  const { body } = await admin.get('/api/oauth/providers')
  const path = `/api/oauth/providers/${body.providers[0].id}`
  const sealed = async () =>
    await db.selectFrom('oauth_providers').select(['client_secret', 'client_id']).executeTakeFirstOrThrow()
  const before = await sealed()
  t.equal((await admin.put(path, { clientSecret: '', clientId: '', scope: 'openid email' })).status, 200)
  t.same(await sealed(), before)
  await admin.put(path, { clientSecret: 'another-secret' })
  const after = await sealed()
  t.notSame(after.client_secret, before.client_secret)
  t.equal(app.secrets.open(after.client_secret, `oauth_providers/${body.providers[0].id}`), 'another-secret')
  for (const text of [
    (await admin.get('/api/oauth/providers')).body,
    await db.selectFrom('audit').selectAll().execute(),
  ].map((value) => JSON.stringify(value))) {
    t.notMatch(text, /another-secret|the-client-secret-itself|zonekeeper-production-1/)
  }
})

void t.test('77. the secret goes to no other address, no address holds one', async (t) => {
  const { body } = await admin.get('/api/oauth/providers')
  const path = `/api/oauth/providers/${body.providers[0].id}`
  for (const moved of [
    { wellKnownUrl: 'https://elsewhere.example.com/.well-known/openid-configuration' },
    { tokenUrl: 'https://elsewhere.example.com/token', clientSecret: '' },
    { userInfoUrl: 'https://elsewhere.example.com/me' },
  ]) {
    t.match(await admin.put(path, moved), { status: 400, body: { errors: [{ path: '/clientSecret' }] } })
    t.match(await admin.put(path, { ...moved, clientSecret: 'another-secret' }), { status: 200 })
  }
  t.match(await admin.put(path, { ...oidc, clientId: '' }), { status: 200 }, 'and back with it')
  for (const field of ['wellKnownUrl', 'authorizeUrl', 'tokenUrl', 'userInfoUrl', 'issuer']) {
    t.match(await admin.put(path, { [field]: 'https://me:PASS@login.example.com/x', clientSecret: SECRET }), {
      status: 400,
      body: {
        errors: [{ path: `/${field}`, code: 'address_credentials', message: /use clientSecret/ }],
      },
    })
  }
})

void t.test('77. never more than the first and last four characters', async (t) => {
  t.equal(maskMiddle('abcdefghijklmnopqrstuvwxyz'), 'abcd••••wxyz')
  t.equal(maskMiddle('abcdefgh'), 'ab••••gh')
  t.equal(maskMiddle('abc'), '••••')
})

void t.test('bad input names the field', async (t) => {
  await clean()
  const wrong: [object, RegExp][] = [
    [{ ...oidc, wellKnownUrl: null }, /wellKnownUrl/],
    [{ ...oidc, wellKnownUrl: '' }, /wellKnownUrl/],
    [{ ...oidc, wellKnownUrl: 'http://login.example.com' }, /wellKnownUrl.*https/],
    [{ ...oidc, wellKnownUrl: 'javascript:alert(1)' }, /wellKnownUrl/],
    [{ ...oidc, wellKnownUrl: 'https://user:password@login.example.com' }, /wellKnownUrl/],
    [{ ...oidc, tokenUrl: 'ftp://login.example.com/token' }, /tokenUrl/],
    [{ ...oidc, scope: 'email' }, /scope.*openid/],
    [{ ...oidc, scope: 'openid "quoted"' }, /scope/],
    [{ ...oidc, clientId: '' }, /clientId/],
    [{ ...oidc, clientSecret: '' }, /clientSecret/],
    [{ ...oidc, clientSecret: 'line\r\nbreak' }, /clientSecret/],
    [{ ...oidc, enabled: 'yes' }, /enabled/],
    [{ ...oidc, providerId: 'friendster' }, /providerId/],
    [{ ...oidc, fields: { subject: 'id' } }, /fields/],
    [{ ...oidc, providerId: 'custom' }, /authorizeUrl.*tokenUrl.*userInfoUrl/],
    [{ ...oidc, providerId: 'codehost_a' }, /wellKnownUrl/],
    [{ providerId: 'oidc' }, /clientId.*clientSecret/],
  ]
  for (const [body, message] of wrong) {
    const answer = await admin.post('/api/oauth/providers', body)
    t.equal(answer.status, 400, JSON.stringify(body))
    t.match(answer.body.detail, message)
  }
  t.same((await admin.get('/api/oauth/providers')).body.providers, [])
})

void t.test(
  '43. presets ask for no more than name and address, and need neither endpoints nor scope',
  async (t) => {
    for (const [providerId, scope] of [
      ['codehost_a', 'read:user user:email'],
      ['codehost_b', 'openid profile email'],
      ['idp_a', 'openid email profile'],
      ['chat_a', 'openid'],
      ['chat_b', ''],
    ] as const) {
      const { status, body } = await admin.post('/api/oauth/providers', {
        providerId,
        clientId: 'client',
        clientSecret: 'secret',
      })
      t.equal(status, 201, providerId)
      t.match(body, { scope, redirectUrl: `${SITE}/api/auth/oauth/${providerId}/callback` })
    }
    const page = await call(app, { method: 'GET', url: '/api/auth/oauth/codehost_a/authorize' })
    t.equal(page.status, 302)
    t.match(String(page.headers['location']), /^https:\/\/github\.com\/login\/oauth\/authorize\?/)
    t.match(
      String(page.headers['set-cookie']),
      /^__Host-oauth_flow=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const ding = await call(app, { method: 'GET', url: '/api/auth/oauth/chat_a/authorize' })
    t.match(
      String(ding.headers['location']),
      /^https:\/\/login\.dingtalk\.com\/oauth2\/auth\?.*prompt=consent/,
    )
    const fei = await call(app, { method: 'GET', url: '/api/auth/oauth/chat_b/authorize' })
    t.match(String(fei.headers['location']), /code_challenge_method=S256/)
  },
)

void t.test('each provider once', async (t) => {
  const again = await admin.post('/api/oauth/providers', {
    providerId: 'idp_a',
    clientId: 'client',
    clientSecret: 'secret',
  })
  t.equal(again.status, 409)
  t.match(again.body, { code: 'conflict', field: 'providerId' })
})

void t.test('the issuer will do in place of the document; the provider stays what it is', async (t) => {
  await clean()
  const { body } = await admin.post('/api/oauth/providers', {
    ...oidc,
    wellKnownUrl: 'https://login.example.com/',
  })
  t.equal(body.wellKnownUrl, WELL_KNOWN)
  const path = `/api/oauth/providers/${body.id}`
  t.equal((await admin.put(path, { providerId: 'custom' })).status, 400)
  t.equal((await admin.put(path, { wellKnownUrl: null })).status, 400)
  t.equal((await admin.put(path, body)).status, 200, 'the whole resource back')
  t.equal((await admin.put(path, { nonsense: 1 })).status, 400)
  const { body: after } = await admin.put(path, {
    tokenUrl: 'https://login.example.com/token',
    clientSecret: SECRET,
  })
  t.equal(after.tokenUrl, 'https://login.example.com/token')
})

void t.test('custom: fields can be set one by one', async (t) => {
  const { status, body } = await admin.post('/api/oauth/providers', {
    providerId: 'custom',
    clientId: 'client',
    clientSecret: 'secret',
    authorizeUrl: 'https://sso.example.com/authorize',
    tokenUrl: 'https://sso.example.com/token',
    userInfoUrl: 'https://sso.example.com/me',
    fields: { subject: 'data.id', emailVerified: null },
  })
  t.equal(status, 201)
  t.match(body.fields, { subject: 'data.id', email: 'email', emailVerified: null })
  const bad = await admin.put(`/api/oauth/providers/${body.id}`, { fields: { subject: 'a..b' } })
  t.equal(bad.status, 400)
})

void t.test('delete: with users bound only when confirmed', async (t) => {
  const { body } = await admin.get('/api/oauth/providers')
  const path = `/api/oauth/providers/${body.providers[0].id}`
  const identity = {
    id: crypto.randomUUID(),
    provider_id: 'oidc',
    subject: 's',
    user_id: member.userId,
  } as const
  await db
    .insertInto('oauth_identities')
    .values({ ...identity, email_verified: false })
    .execute()
  t.equal((await admin.get(path)).body.boundUsers, 1)
  for (const headers of [{}, { 'x-confirm-delete': 'false' }, { 'x-confirm-delete': '' }]) {
    const refused = await admin.delete(path, { headers })
    t.equal(refused.status, 409)
    t.match(refused.body, { code: 'confirmation_required', boundUsers: 1 })
  }
  t.equal((await admin.delete(path, { headers: { 'x-confirm-delete': 'true' } })).status, 204)
  t.equal((await admin.delete(path)).status, 404)
  t.same(await db.selectFrom('oauth_identities').selectAll().execute(), [])
  const other = `/api/oauth/providers/${body.providers[1].id}`
  t.equal((await admin.delete(other)).status, 204, 'without bound users no header is needed')
})

void t.test('59, 78. administrators only; what they do is in the audit trail', async (t) => {
  const id = crypto.randomUUID()
  for (const answer of [
    await member.post('/api/oauth/providers', oidc),
    await member.put(`/api/oauth/providers/${id}`, { enabled: false }),
    await member.delete(`/api/oauth/providers/${id}`),
    await member.post(`/api/oauth/providers/${id}/test`),
  ]) {
    t.equal(answer.status, 403)
  }
  for (const url of ['/api/oauth/providers', `/api/oauth/providers/${id}`]) {
    t.equal((await call(app, { method: 'GET', url })).status, 401)
  }
  const actions = await db
    .selectFrom('audit')
    .select('action')
    .distinct()
    .where('action', 'like', 'oauth_provider.%')
    .orderBy('action')
    .execute()
  t.same(
    actions.map(({ action }) => action),
    ['oauth_provider.created', 'oauth_provider.deleted', 'oauth_provider.updated'],
  )
})
