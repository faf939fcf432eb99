import t from 'tap'
import { startIssuer } from './simulators/issuer.ts'
import { Browser } from './helpers/browser.ts'
import { startService, type OAuthService } from './helpers/service.ts'

const issuer = await startIssuer(t)

async function serviceWith(registration: string): Promise<OAuthService> {
  const service = await startService(t, { environment: { REGISTRATION: registration } })
  await service.configure('oidc', { wellKnownUrl: issuer.wellKnownUrl })
  return service
}

const service = await serviceWith('invite')
const { db } = service.database

const invite = async (body: object = {}) =>
  (await service.admin.post('/api/invitations', { role: 'member', ...body })).body.code as string

const register = (browser: Browser, body: object, providerId = 'oidc') =>
  browser.post(`${service.url}/api/auth/oauth/${providerId}/register`, body)

let number = 0

/** A new person at the provider, at the landing page with a pending token. */
async function newcomer(browser = new Browser(), person: object = {}) {
  const sub = `newcomer-${++number}`
  issuer.person = { sub, email: `${sub}@example.test`, email_verified: true, ...person }
  const query = await service.authorize('oidc', browser)
  return { browser, sub, query, pendingToken: query['pending_token'] ?? '' }
}

void t.test('an invitation is needed, and makes the account', async (t) => {
  const { browser, query, pendingToken, sub } = await newcomer()
  t.same(Object.keys(query).sort(), ['needs_invite', 'pending_token', 'provider_id'])
  t.equal(query['provider_id'], 'oidc', 'whose path registers')
  t.equal(query['needs_invite'], 'true')
  t.equal(Buffer.from(pendingToken, 'base64url').length, 32)
  t.notOk(await db.selectFrom('users').select('id').where('username', '=', sub).executeTakeFirst())
  const { status, json } = await register(browser, {
    pendingToken,
    inviteCode: await invite({ role: 'admin' }),
  })
  t.equal(status, 201)
  t.match(json, {
    accessToken: /^ey/,
    expiresIn: 900,
    user: { username: sub, email: `${sub}@example.test`, role: 'admin' },
  })
  t.ok(browser.cookie('refresh_token'))
  t.equal((await service.enter('oidc')).user.id, json.user.id, 'from now on it just signs in')
})

void t.test('code is another name of inviteCode; the user name can be chosen', async (t) => {
  const { browser, pendingToken } = await newcomer()
  const { status, json } = await register(browser, { pendingToken, code: await invite(), username: 'Chosen' })
  t.equal(status, 201)
  t.equal(json.user.username, 'chosen')
})

void t.test('48. the pending token counts once, for 15 minutes, in its browser', async (t) => {
  const { browser, pendingToken } = await newcomer()
  const inviteCode = await invite({ maxUses: 20 })
  t.equal((await register(new Browser(), { pendingToken, inviteCode })).status, 401, 'another browser')
  t.equal((await register(browser, { pendingToken, inviteCode }, 'idp_a')).status, 404, 'another provider')
  t.equal((await register(browser, { pendingToken: 'made-up', inviteCode })).status, 401)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => register(browser, { pendingToken, inviteCode })),
  )
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [201, 401, 401, 401, 401],
  )
  const late = await newcomer(browser)
  const row = await db.selectFrom('oauth_pending').select('expires_at').executeTakeFirstOrThrow()
  t.ok(Math.abs(row.expires_at.getTime() - Date.now() - 900_000) < 10_000)
  await db
    .updateTable('oauth_pending')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  t.equal((await register(browser, { pendingToken: late.pendingToken, inviteCode })).status, 401, 'late')
})

void t.test('53. a code that does not count leaves everything as it was', async (t) => {
  const { browser, pendingToken, sub } = await newcomer()
  for (const body of [{}, { inviteCode: 'made-up' }, { inviteCode: '' }, { inviteCode: 7 }]) {
    const { status, json } = await register(browser, { pendingToken, ...body })
    t.equal(status, 400, JSON.stringify(body))
    t.equal(json.code, 'validation_failed')
  }
  const used = await invite()
  const other = await newcomer()
  await register(other.browser, { pendingToken: other.pendingToken, inviteCode: used })
  t.equal((await register(browser, { pendingToken, inviteCode: used })).status, 400, 'used up')
  t.notOk(await db.selectFrom('users').select('id').where('username', '=', sub).executeTakeFirst())
  t.equal(
    (await register(browser, { pendingToken, inviteCode: await invite() })).status,
    201,
    'the token still counts',
  )
})

void t.test('53. a user name that is taken spends neither token nor invitation', async (t) => {
  await service.addUser('occupied')
  const { browser, pendingToken } = await newcomer()
  const inviteCode = await invite()
  const taken = await register(browser, { pendingToken, inviteCode, username: 'occupied' })
  t.equal(taken.status, 409)
  t.match(taken.json, { code: 'conflict', field: 'username' })
  t.equal((await register(browser, { pendingToken, inviteCode })).status, 201)
})

void t.test('53. of five with one invitation one gets in', async (t) => {
  const inviteCode = await invite()
  const people = []
  for (let i = 0; i < 5; i++) people.push(await newcomer())
  const answers = await Promise.all(
    people.map(({ browser, pendingToken }) => register(browser, { pendingToken, inviteCode })),
  )
  t.same(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [201, 400, 400, 400, 400],
  )
})

void t.test('49. an equal address is never the same person', async (t) => {
  const id = await service.addUser('owner')
  await db
    .updateTable('users')
    .set({ email: 'owner@example.test', email_verified: true })
    .where('id', '=', id)
    .execute()
  for (const email_verified of [true, false]) {
    const { query } = await newcomer(new Browser(), { email: 'Owner@Example.test', email_verified })
    t.same(query, { error: 'email_taken' })
  }
  t.same(await db.selectFrom('oauth_identities').select('id').where('user_id', '=', id).execute(), [])
})

void t.test('the address was taken while the invitation was looked for', async (t) => {
  const { browser, pendingToken, sub } = await newcomer()
  const id = await service.addUser('quicker')
  await db
    .updateTable('users')
    .set({ email: `${sub}@example.test` })
    .where('id', '=', id)
    .execute()
  const { status, json } = await register(browser, { pendingToken, inviteCode: await invite() })
  t.equal(status, 409)
  t.equal(json.field, 'email')
})

void t.test('an invitation for an address gives that address', async (t) => {
  const { browser, pendingToken } = await newcomer()
  const { json } = await register(browser, {
    pendingToken,
    inviteCode: await invite({ email: 'asked@example.test' }),
  })
  t.equal(json.user.email, 'asked@example.test')
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', json.user.id)
    .executeTakeFirstOrThrow()
  t.equal(user.email_verified, false, 'nobody has proved it')
})

void t.test('61. what the identity provider says is not for the body to say', async (t) => {
  const { browser, pendingToken, sub } = await newcomer()
  const body = { pendingToken, inviteCode: await invite() }
  const more = { role: 'admin', email: 'root@example.test', subject: 'somebody-else' }
  t.match(await register(browser, { ...body, ...more }), {
    status: 400,
    json: { errors: [{ path: '/role' }, { path: '/email' }, { path: '/subject' }] },
  })
  const { json } = await register(browser, body)
  t.match(json.user, { role: 'member', email: `${sub}@example.test` })
})

void t.test('REGISTRATION=closed', async (t) => {
  const closed = await serviceWith('closed')
  issuer.person = { sub: 'late', email: 'late@example.test', email_verified: true }
  t.same(await closed.authorize('oidc'), { error: 'registration_closed' })
  const { status } = await new Browser().post(`${closed.url}/api/auth/oauth/oidc/register`, {
    pendingToken: 'x',
    inviteCode: 'x',
  })
  t.equal(status, 403)
  const { count } = await closed.database.db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  t.equal(Number(count), 1)
})
