import t from 'tap'
import { PASSWORD, type Client } from '../helpers/app.ts'
import { startMailbox } from '../helpers/mailbox.ts'
import { startIssuer } from './simulators/issuer.ts'
import { Browser } from './helpers/browser.ts'
import { startService } from './helpers/service.ts'
import { hear } from '../helpers/events.ts'

const mailbox = await startMailbox(t)
const service = await startService(t, { environment: mailbox.environment })
const { db } = service.database
const issuer = await startIssuer(t)
await service.configure('oidc', { wellKnownUrl: issuer.wellKnownUrl })
await service.configure('idp_a', { wellKnownUrl: issuer.wellKnownUrl })

const base = `${service.url}/api/auth/oauth`
const bearer = (client: Client) => ({ authorization: `Bearer ${client.accessToken}` })

async function member(name: string): Promise<Client> {
  await service.addUser(name)
  return service.signIn(name)
}

const start = (client: Client, browser: Browser, providerId = 'oidc', body: object = {}) =>
  browser.post(`${base}/${providerId}/bind/start`, body, bearer(client))

/** From bind/start to the landing page. */
async function bind(client: Client, browser = new Browser(), providerId = 'oidc') {
  const { status, json } = await start(client, browser, providerId)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return Object.fromEntries((await browser.travel(json.authorizeUrl, service.landing)).searchParams)
}

const bindings = async (client: Client) => (await client.get('/api/auth/oauth/bindings')).body.bindings

const grownStale = (client: Client) =>
  db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('user_id', '=', client.userId)
    .execute()

void t.test('bind, sign in by it, unbind', async (t) => {
  const ada = await member('ada')
  issuer.person = { sub: 'ada-there', email: 'ada@there.test', email_verified: true, name: 'Ada There' }
  const browser = new Browser()
  const { json } = await start(ada, browser)
  t.match(json, {
    authorizeUrl: new RegExp(`^${issuer.issuer}/authorize\\?`),
    callbackUrl: `${service.url}/oauth/oidc`,
    redirectUrl: `${service.url}/oauth/oidc`,
  })
  const end = await browser.travel(json.authorizeUrl, service.landing)
  t.same(Object.fromEntries(end.searchParams), { bound: '1', provider_id: 'oidc' })
  t.match(await bindings(ada), [
    {
      providerId: 'oidc',
      name: 'OpenID Connect',
      subject: 'ada-there',
      displayName: 'Ada There',
      email: 'ada@there.test',
      avatar: null,
      boundAt: /Z$/,
    },
  ])
  t.equal((await service.enter('oidc')).user.id, ada.userId)
  t.equal((await ada.delete('/api/auth/oauth/unbind/oidc')).status, 204)
  t.same(await bindings(ada), [])
  t.equal((await ada.delete('/api/auth/oauth/unbind/oidc')).status, 404)
  const actions = await db
    .selectFrom('audit')
    .select('action')
    .where('actor_id', '=', ada.userId)
    .where('action', 'like', 'user.identity%')
    .orderBy('id')
    .execute()
  t.same(
    actions.map(({ action }) => action),
    ['user.identity_bound', 'user.identity_unbound'],
  )
})

void t.test('the user is told', async (t) => {
  const client = await member('told')
  const heard = hear(service.app, 'account.identity_changed')
  issuer.person = { sub: 'told' }
  await bind(client)
  await client.delete('/api/auth/oauth/unbind/oidc')
  const event = { actorId: null, userIds: [client.userId] }
  t.same(
    (await heard()).map(({ payload }) => payload),
    [
      { ...event, metadata: { username: 'told', providerId: 'oidc', change: 'bound' } },
      { ...event, metadata: { username: 'told', providerId: 'oidc', change: 'unbound' } },
    ],
  )
})

void t.test('the user is told by e-mail, at an address that is proved', async (t) => {
  const [client, unproved] = [await member('mailed'), await member('unproved')]
  const setAddress = (userId: string, email: string, email_verified: boolean) =>
    db.updateTable('users').set({ email, email_verified }).where('id', '=', userId).execute()
  await setAddress(client.userId, 'mailed@example.test', true)
  await setAddress(unproved.userId, 'unproved@example.test', false)
  issuer.person = { sub: 'unproved' }
  await bind(unproved)
  issuer.person = { sub: 'mailed' }
  await bind(client)
  t.match(await mailbox.next('mailed@example.test'), {
    text: /now be signed in to with OpenID Connect.*\(mailed\)[^]*wasn't you/,
  })
  await client.delete('/api/auth/oauth/unbind/oidc')
  t.match(await mailbox.next('mailed@example.test'), {
    text: /no longer be signed in to with OpenID Connect/,
  })
  t.notOk(mailbox.received.some(({ to }) => to.includes('unproved@example.test')))
})

void t.test('51. an identity of somebody else stays with them', async (t) => {
  const [one, other] = [await member('one'), await member('other')]
  issuer.person = { sub: 'shared' }
  t.match(await bind(one), { bound: '1' })
  t.same(await bind(other), { error: 'already_bound' })
  t.same(await bindings(other), [])
  t.equal((await service.enter('oidc')).user.id, one.userId)
})

void t.test('one identity of each provider', async (t) => {
  const client = await member('single')
  issuer.person = { sub: 'single-1' }
  const browser = new Browser()
  const second = await start(client, browser)
  t.match(await bind(client), { bound: '1' })
  issuer.person = { sub: 'single-2' }
  const end = await browser.travel(second.json.authorizeUrl, service.landing)
  t.equal(end.searchParams.get('error'), 'already_bound', 'begun before the first was bound')
  const again = await start(client, new Browser())
  t.equal(again.status, 409)
  t.match(await bind(client, new Browser(), 'idp_a'), { bound: '1', provider_id: 'idp_a' })
})

void t.test('51. of two who bind one identity at the same time one gets it', async (t) => {
  const clients = [await member('race-1'), await member('race-2')]
  issuer.person = { sub: 'raced' }
  const ends = await Promise.all(clients.map((client) => bind(client)))
  t.same(new Set(ends.map((end) => end['bound'] ?? end['error'])), new Set(['1', 'already_bound']))
})

void t.test('50. the same browser, the same session', async (t) => {
  const client = await member('fifty')
  issuer.person = { sub: 'fifty' }
  const browser = new Browser()
  const { json } = await start(client, browser)
  const back = await browser.travel(json.authorizeUrl, `${service.url}/oauth/oidc`)
  t.match((await new Browser().get(back.href)).location, /error=state_invalid/, 'another browser')
  await client.post('/api/auth/logout', {})
  t.match((await browser.get(back.href)).location, /error=state_invalid/, 'signed out meanwhile')
  const fresh = await service.signIn('fifty')
  t.same(await bindings(fresh), [])
  await start(fresh, browser)
  t.match(await bind(fresh, browser), { bound: '1' })
})

void t.test('50. an expired session, a disabled user', async (t) => {
  const client = await member('gone')
  issuer.person = { sub: 'gone' }
  for (const [change, reason] of [
    [
      () =>
        db
          .updateTable('sessions')
          .set({ expires_at: new Date(Date.now() - 1000) })
          .where('user_id', '=', client.userId)
          .execute(),
      'state_invalid',
    ],
    [
      () =>
        db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', client.userId).execute(),
      'account_disabled',
    ],
  ] as const) {
    await db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() + 60_000) })
      .execute()
    const browser = new Browser()
    const { json } = await start(client, browser)
    await change()
    const end = await browser.travel(json.authorizeUrl, service.landing)
    t.equal(end.searchParams.get('error'), reason)
  }
})

void t.test('a state for binding is none for signing in', async (t) => {
  const client = await member('kind')
  issuer.person = { sub: 'kind' }
  const end = await bind(client)
  t.notOk(end['ticket'])
})

void t.test('52. binding and unbinding need a fresh sign-in or the password', async (t) => {
  const client = await member('stale')
  issuer.person = { sub: 'stale' }
  await bind(client)
  await grownStale(client)
  const refused = await client.delete('/api/auth/oauth/unbind/oidc')
  t.equal(refused.status, 403)
  t.equal(refused.body.code, 'reauthentication_required')
  t.equal((await start(client, new Browser(), 'idp_a')).status, 403)
  t.equal((await start(client, new Browser(), 'idp_a', { password: 'wrong password' })).status, 400)
  t.equal((await start(client, new Browser(), 'idp_a', { password: PASSWORD })).status, 200)
  const gone = await client.delete('/api/auth/oauth/unbind/oidc', { payload: { password: PASSWORD } })
  t.equal(gone.status, 204)
})

void t.test('52. the last way in stays', async (t) => {
  issuer.person = { sub: 'only-external', preferred_username: 'external' }
  const { accessToken, user } = await service.enter('oidc')
  const headers = { authorization: `Bearer ${accessToken}` }
  const unbind = () =>
    fetch(`${base}/unbind/oidc`, { method: 'DELETE', headers }).then(async (answer) => ({
      status: answer.status,
      body: answer.status === 204 ? null : await answer.json(),
    }))
  t.match(await unbind(), { status: 409, body: { code: 'last_sign_in_method' } })
  await db
    .insertInto('oauth_identities')
    .values({
      id: crypto.randomUUID(),
      provider_id: 'idp_a',
      subject: 'x',
      user_id: user.id,
      email_verified: false,
    })
    .execute()
  await db.updateTable('oauth_providers').set({ enabled: false }).where('provider_id', '=', 'idp_a').execute()
  t.match(await unbind(), { status: 409 }, 'one of a disabled provider is no way in')
  await db.updateTable('oauth_providers').set({ enabled: true }).where('provider_id', '=', 'idp_a').execute()
  t.equal((await unbind()).status, 204)
})

void t.test('52. of two that are given up at the same time one stays', async (t) => {
  issuer.person = { sub: 'both', preferred_username: 'both' }
  const { accessToken, user } = await service.enter('oidc')
  const row = { id: crypto.randomUUID(), provider_id: 'idp_a', subject: 'both', user_id: user.id } as const
  await db
    .insertInto('oauth_identities')
    .values({ ...row, email_verified: false })
    .execute()
  const headers = { authorization: `Bearer ${accessToken}` }
  const answers = await Promise.all(
    ['oidc', 'idp_a'].map((id) => fetch(`${base}/unbind/${id}`, { method: 'DELETE', headers })),
  )
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [204, 409],
  )
})

void t.test('59. not without being signed in', async (t) => {
  const browser = new Browser()
  t.equal((await browser.get(`${base}/bindings`)).status, 401)
  t.equal((await browser.post(`${base}/oidc/bind/start`, {})).status, 401)
  t.equal((await fetch(`${base}/unbind/oidc`, { method: 'DELETE' })).status, 401)
})

void t.test('unknown and disabled providers', async (t) => {
  const client = await member('curious')
  t.equal((await client.post('/api/auth/oauth/friendster/bind/start')).status, 404)
  t.equal((await client.post('/api/auth/oauth/chat_a/bind/start')).status, 404)
  t.equal((await client.delete('/api/auth/oauth/unbind/friendster')).status, 404)
})

void t.test('an identity that is bound goes with its user', async (t) => {
  const client = await member('leaver')
  issuer.person = { sub: 'leaver' }
  await bind(client)
  t.equal((await service.admin.delete(`/api/users/${client.userId}`)).status, 204)
  t.not((await service.enter('oidc')).user.id, client.userId, 'whoever comes next is somebody new')
})
