import t from 'tap'
import { Browser } from './helpers/browser.ts'
import { startIssuer } from './simulators/issuer.ts'
import { startService } from './helpers/service.ts'

/* State and cookie: what the way back must bring along. */

const service = await startService(t)
const { db } = service.database
const issuer = await startIssuer(t)
await service.configure('oidc', { wellKnownUrl: issuer.wellKnownUrl })
await service.configure('custom', {
  authorizeUrl: `${issuer.issuer}/authorize`,
  tokenUrl: `${issuer.issuer}/token`,
  userInfoUrl: `${issuer.issuer}/userinfo`,
})
await service.configure('codehost_a')

const REFUSED = { error: 'state_invalid' }

/** Up to the callback, which is not loaded yet. */
const upToCallback = (browser: Browser, providerId = 'oidc') =>
  browser.travel(`${service.url}/api/auth/oauth/${providerId}/authorize`, `${service.url}/oauth/oidc`)

async function outcome(browser: Browser, url: URL | string) {
  const { status, location, text } = await browser.get(String(url))
  if (status !== 302 || !location?.startsWith(service.landing))
    throw new Error(`${String(url)}: ${status} ${text}`)
  return Object.fromEntries(new URL(location).searchParams)
}

const STATES: Record<string, (state: string) => string | null> = {
  missing: () => null,
  empty: () => '',
  cut: (state) => state.slice(0, -4),
  'cut to a few characters': (state) => state.slice(0, 8),
  'altered at the front': (state) => (state.startsWith('A') ? 'B' : 'A') + state.slice(1),
  'altered in the middle': (state) => state.slice(0, 60) + (state[60] === 'x' ? 'y' : 'x') + state.slice(61),
  'altered at the end': (state) => state.slice(0, -1) + (state.endsWith('w') ? 'A' : 'w'),
  'with something after it': (state) => `${state}=`,
  'very long': (state) => state.repeat(20),
  'not base64': () => '%%%',
  'with a NUL': (state) => `${state}\0`,
  'of nobody': () => Buffer.alloc(120, 7).toString('base64url'),
}

for (const [name, alter] of Object.entries(STATES)) {
  void t.test(`35. state ${name}`, async (t) => {
    const browser = new Browser()
    const url = await upToCallback(browser)
    const wrong = new URL(url)
    const state = alter(url.searchParams.get('state') ?? '')
    if (state === null) wrong.searchParams.delete('state')
    else wrong.searchParams.set('state', state)
    t.same(await outcome(browser, wrong), REFUSED)
    t.ok((await outcome(browser, url))['ticket'], 'the right one still counts')
  })
}

void t.test('35. state twice', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  const state = url.searchParams.get('state') ?? ''
  t.same(await outcome(browser, `${url.href}&state=${state}`), REFUSED)
  t.same(await outcome(browser, `${url.href}&state=other`), REFUSED)
  t.ok((await outcome(browser, url))['ticket'])
})

void t.test('a NUL elsewhere in the query has an outcome too', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  const wrong = new URL(url)
  wrong.searchParams.set('code', 'a\0b')
  t.same(await outcome(browser, wrong), { error: 'provider_error' })
  t.equal((await service.admin.get('/api/users?search=%00')).status, 400, 'elsewhere it is refused')
})

void t.test('35. state counts once', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  t.ok((await outcome(browser, url))['ticket'])
  t.same(await outcome(browser, url), REFUSED)
})

void t.test('35. of ten at the same time one gets through', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(browser, url)))
  t.equal(outcomes.filter((one) => one['ticket'] !== undefined).length, 1)
  t.equal(outcomes.filter((one) => one['error'] === 'state_invalid').length, 9)
})

void t.test('35. another browser can’t finish, and does not spend it', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  t.same(await outcome(new Browser(), url), REFUSED, 'without any cookie')
  const other = new Browser()
  await upToCallback(other)
  t.same(await outcome(other, url), REFUSED, 'with a cookie of its own')
  t.ok((await outcome(browser, url))['ticket'])
})

void t.test('35. too late', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  await db
    .updateTable('oauth_flows')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  t.same(await outcome(browser, url), REFUSED)
  const [row] = await db.selectFrom('oauth_flows').selectAll().execute()
  t.ok(row, 'a new one lives ten minutes')
  await upToCallback(browser)
  const newest = await db
    .selectFrom('oauth_flows')
    .select('expires_at')
    .orderBy('expires_at', 'desc')
    .executeTakeFirstOrThrow()
  t.ok(Math.abs(newest.expires_at.getTime() - Date.now() - 600_000) < 10_000)
})

void t.test('37. state of another provider', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  t.same(await outcome(browser, `${service.url}/api/auth/oauth/codehost_a/callback${url.search}`), REFUSED)
  const second = await upToCallback(browser, 'custom')
  t.same(await outcome(browser, `${service.url}/api/auth/oauth/oidc/callback${second.search}`), REFUSED)
  const page = await browser.get(`${service.url}/api/auth/oauth/codehost_a/authorize`)
  const state = new URL(page.location ?? '').searchParams.get('state') ?? ''
  t.same(await outcome(browser, `${service.url}/oauth/oidc?code=x&state=${state}`), REFUSED)
})

void t.test('the shared callback finds out by the state which of the two it is', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser, 'custom')
  issuer.person = { sub: 'mika', email: 'mika@example.test' }
  t.ok((await outcome(browser, url))['ticket'])
  const rows = await db
    .selectFrom('oauth_identities')
    .select('subject')
    .where('provider_id', '=', 'custom')
    .execute()
  t.same(rows, [{ subject: 'mika' }])
})

void t.test('45. only the site, and only reasons of the list', async (t) => {
  const browser = new Browser()
  for (const query of [
    '',
    '?error=%0d%0aLocation:%20https://evil.example',
    '?redirect_uri=https://evil.example&next=//evil.example',
    '?state[]=x',
    '?__proto__=x',
  ]) {
    t.same(await outcome(browser, `${service.url}/oauth/oidc${query}`), REFUSED, query)
    t.same(await outcome(browser, `${service.url}/api/auth/oauth/idp_a/callback${query}`), REFUSED, query)
  }
})

void t.test('an error of the provider is told by the list, whatever it says', async (t) => {
  for (const [error, reason] of [
    ['access_denied', 'access_denied'],
    ['server_error', 'provider_error'],
    ['<script>alert(1)</script>', 'provider_error'],
    ['', 'provider_error'],
  ] as const) {
    const browser = new Browser()
    const url = await upToCallback(browser)
    url.searchParams.delete('code')
    url.searchParams.set('error', error)
    t.same(await outcome(browser, url), { error: reason }, error)
  }
})

void t.test('HEAD does not spend the state', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  const { status } = await fetch(url, { method: 'HEAD', redirect: 'manual' })
  t.equal(status, 405)
  t.ok((await outcome(browser, url))['ticket'])
})

void t.test('disabled between authorize and callback', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  await db.updateTable('oauth_providers').set({ enabled: false }).where('provider_id', '=', 'oidc').execute()
  t.same(await outcome(browser, url), { error: 'provider_disabled' })
  t.same(await service.authorize('oidc'), { error: 'provider_disabled' }, 'and from the start')
  await db.updateTable('oauth_providers').set({ enabled: true }).where('provider_id', '=', 'oidc').execute()
  t.ok((await service.authorize('oidc'))['ticket'])
})

void t.test('a provider that is not set up; one that does not exist', async (t) => {
  t.same(await service.authorize('idp_a'), { error: 'provider_disabled' })
  const { status, json } = await new Browser().get(`${service.url}/api/auth/oauth/friendster/authorize`)
  t.equal(status, 404)
  t.equal(json.code, 'not_found')
})

void t.test('the user disabled between authorize and callback', async (t) => {
  const browser = new Browser()
  const { user } = await service.enter('oidc', browser)
  const url = await upToCallback(browser)
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', user.id).execute()
  t.same(await outcome(browser, url), { error: 'account_disabled' })
  await db.updateTable('users').set({ disabled_at: null }).where('id', '=', user.id).execute()
  t.ok((await service.authorize('oidc'))['ticket'])
})

void t.test('78. what fails is in the audit trail, without secrets', async (t) => {
  const browser = new Browser()
  const url = await upToCallback(browser)
  url.searchParams.set('iss', 'https://evil.example')
  t.same(await outcome(browser, url), { error: 'provider_error' })
  const row = await db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  t.match(row, {
    action: 'auth.external_failed',
    target_name: 'oidc',
    after: { reason: 'provider_error' },
    ip: '127.0.0.1',
  })
  t.notMatch(JSON.stringify(row), new RegExp(url.searchParams.get('code') ?? ''))
})
