import t from 'tap'
import { Browser } from './helpers/browser.ts'
import { startOpenId } from './helpers/openid.ts'
import { CLIENT_SECRET, startService } from './helpers/service.ts'

/* Whole flows over sockets, with a certified OpenID provider on the other side. */

const service = await startService(t)
const { db } = service.database
const openId = await startOpenId(t, `${service.url}/oauth/oidc`)
await service.configure('oidc', { wellKnownUrl: openId.wellKnownUrl })

void t.test('somebody new signs in, and again', async (t) => {
  openId.account = 'alice'
  const browser = new Browser()
  const first = await service.enter('oidc', browser)
  t.match(first, {
    accessToken: /^ey/,
    user: { username: 'alice', email: 'alice@example.test', role: 'member' },
  })
  t.same(Object.keys(first).sort(), ['accessToken', 'expiresIn', 'outcome', 'user'])
  t.ok(browser.cookie('refresh_token'), 'the refresh cookie is set')
  const again = await service.enter('oidc')
  t.equal(again.user.id, first.user.id)
  const identities = await db.selectFrom('oauth_identities').selectAll().execute()
  t.match(identities, [{ provider_id: 'oidc', subject: 'alice', email_verified: true }])
  const user = await db.selectFrom('users').selectAll().where('id', '=', first.user.id).executeTakeFirst()
  t.match(user, { email_verified: true, password_hash: null, display_name: 'alice of the tests' })
})

void t.test('the token of a ticket opens the API', async (t) => {
  const { accessToken } = await service.enter('oidc')
  const { json } = await new Browser().get(`${service.url}/api/auth/me`, {
    authorization: `Bearer ${accessToken}`,
  })
  t.equal(json.user.username, 'alice')
})

void t.test('the person refuses', async (t) => {
  openId.account = null
  t.same(await service.authorize('oidc'), { error: 'access_denied' })
  openId.account = 'alice'
  t.ok((await service.authorize('oidc'))['ticket'], 'and signs in after all')
})

void t.test('35, 36, 38. state, S256 challenge and nonce go along, new each time', async (t) => {
  const requests = await Promise.all(
    [1, 2].map(async () => {
      const page = await new Browser().get(`${service.url}/api/auth/oauth/oidc/authorize`)
      t.equal(page.status, 302)
      return new URL(page.location ?? '')
    }),
  )
  for (const { origin, searchParams } of requests) {
    t.equal(origin, openId.issuer)
    t.match(Object.fromEntries(searchParams), {
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: /^[\w-]{43}$/,
      nonce: /^[\w-]{43}$/,
      state: /^[\w-]{100,}$/,
      redirect_uri: `${service.url}/oauth/oidc`,
      scope: 'openid profile email',
    })
  }
  for (const name of ['state', 'nonce', 'code_challenge']) {
    t.not(requests[0]?.searchParams.get(name), requests[1]?.searchParams.get(name), name)
  }
})

void t.test('36. verifier and nonce are sealed where they wait', async (t) => {
  await new Browser().get(`${service.url}/api/auth/oauth/oidc/authorize`)
  const rows = await db.selectFrom('oauth_flows').selectAll().execute()
  t.ok(rows.length > 0)
  for (const row of rows) t.notMatch(row.secrets.toString('latin1'), /codeVerifier|nonce/)
  const provider = await db.selectFrom('oauth_providers').select('client_secret').executeTakeFirstOrThrow()
  t.notOk(provider.client_secret.includes(CLIENT_SECRET), '76. and so is the client secret')
})

void t.test('35. the cookie is HttpOnly, SameSite=Lax, and stays the same for a second tab', async (t) => {
  const browser = new Browser()
  const page = await browser.get(`${service.url}/api/auth/oauth/oidc/authorize`)
  const [line = ''] = page.headers.getSetCookie()
  t.match(line, /^oauth_flow=[\w-]{43}; /)
  for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=900']) {
    t.ok(line.split('; ').includes(attribute), attribute)
  }
  const before = browser.cookie('oauth_flow')
  await browser.get(`${service.url}/api/auth/oauth/oidc/authorize`)
  t.equal(browser.cookie('oauth_flow'), before)
})

void t.test('two tabs on their way at once both get in', async (t) => {
  const browser = new Browser()
  const start = () => browser.get(`${service.url}/api/auth/oauth/oidc/authorize`)
  const pages = [await start(), await start()]
  for (const { location } of pages)
    t.match(await browser.travel(location ?? '', service.landing), { search: /ticket/ })
})

void t.test('46, 47. the way back is not cached, and says nothing about itself to others', async (t) => {
  const browser = new Browser()
  const back = await browser.travel(
    `${service.url}/api/auth/oauth/oidc/authorize`,
    `${service.url}/oauth/oidc`,
  )
  const page = await browser.get(back.href)
  t.equal(page.status, 302, '46. never 307')
  t.equal(page.headers.get('cache-control'), 'no-store')
  t.equal(page.headers.get('referrer-policy'), 'no-referrer')
  t.ok(page.location?.startsWith(`${service.landing}?ticket=`))
})

void t.test('the callback below /api does the same', async (t) => {
  const browser = new Browser()
  const back = await browser.travel(
    `${service.url}/api/auth/oauth/oidc/authorize`,
    `${service.url}/oauth/oidc`,
  )
  const page = await browser.get(`${service.url}/api/auth/oauth/oidc/callback${back.search}`)
  t.match(page.location, /\?ticket=/)
})

void t.test('44. headers from outside move no address', async (t) => {
  const evil = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example',
  }
  const browser = new Browser()
  const page = await browser.get(`${service.url}/api/auth/oauth/oidc/authorize`, evil)
  t.equal(new URL(page.location ?? '').searchParams.get('redirect_uri'), `${service.url}/oauth/oidc`)
  const back = await browser.travel(page.location ?? '', `${service.url}/oauth/oidc`)
  const end = await browser.get(back.href, evil)
  t.ok(end.location?.startsWith(`${service.landing}?ticket=`), end.location ?? '')
})

void t.test('parallel first sign-ins of one person make one account', async (t) => {
  openId.account = 'carol'
  const answers = await Promise.all(Array.from({ length: 5 }, () => service.enter('oidc')))
  t.equal(new Set(answers.map(({ user }) => user.id)).size, 1)
})

void t.test('54. an address that the provider does not vouch for is not the account’s', async (t) => {
  openId.account = 'unverified-dora'
  const { user } = await service.enter('oidc')
  t.match(user, { username: 'unverified-dora', email: null })
})

void t.test('a user name that is taken gets a number', async (t) => {
  await service.addUser('erin')
  openId.account = 'erin'
  const { user } = await service.enter('oidc')
  t.equal(user.username, 'erin-2')
})
