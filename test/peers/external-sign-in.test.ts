import type { AddressInfo } from 'node:net'
import { chromium, type Page } from 'playwright-core'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../oauth/helpers/browser.ts'
import { startOpenId } from '../oauth/helpers/openid.ts'
import { CLIENT_ID, CLIENT_SECRET } from '../oauth/helpers/service.ts'
import { startCaddy } from './caddy.ts'
import { startSite } from './passkey-site.ts'
import { freePort } from './processes.ts'

/*
 * External sign-in with nothing of our own between: Chromium through the login pages of a certified OpenID
 * provider to a small front end; and the same way through the reverse proxy that we ship.
 */
t.setTimeout(120_000)

/** A front end, as small as it can be: it exchanges the ticket, and can bind. */
const PAGE = `<!doctype html>
<html lang="en">
<title>Front end</title>
<a id="sign-in" href="/api/auth/oauth/oidc/authorize">Sign in</a>
<pre id="result"></pre>
<script>
  async function call(method, path, body, token) {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) }
    const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: answer.status, body: await answer.json().catch(() => null) }
  }

  async function bind(token) {
    const { body } = await call('POST', '/api/auth/oauth/oidc/bind/start', {}, token)
    location.href = body.authorizeUrl
  }

  async function land() {
    if (location.pathname !== '/auth/callback') return
    const query = Object.fromEntries(new URLSearchParams(location.search))
    const exchanged = query.ticket && (await call('POST', '/api/auth/oauth/exchange-ticket', { ticket: query.ticket }))
    document.getElementById('result').textContent = JSON.stringify({ query, exchanged, referrer: document.referrer })
  }
  land()
</script>
`

const oidc = (wellKnownUrl: string) => ({
  providerId: 'oidc',
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  wellKnownUrl,
})

void t.test('in Chromium', async (t) => {
  let apiPort = 0
  const site = await startSite(() => apiPort, PAGE)
  t.teardown(() => site.close())
  // Another site than the provider's 127.0.0.1, so that SameSite counts.
  const origin = `http://localhost:${site.port}`
  const { app, admin, addUser, signIn } = await startApp(t, {
    environment: { SITE_URL: origin, REGISTRATION: 'open' },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  apiPort = (app.server.address() as AddressInfo).port
  const openId = await startOpenId(t, `${origin}/oauth/oidc`, { pages: true })
  t.equal((await admin.post('/api/oauth/providers', oidc(openId.wellKnownUrl))).status, 201)

  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--headless=new'],
  })
  t.teardown(() => browser.close())

  const open = async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(origin)
    return page
  }

  /** Through the provider's pages: who it is, and that it may be told. */
  const passPages = async (page: Page, login: string) => {
    await page.fill('input[name=login]', login)
    await page.fill('input[name=password]', 'any')
    await page.click('button[type=submit]')
    await page.waitForSelector('text=Continue')
    await page.click('button[type=submit]')
    return landed(page)
  }

  const landed = async (page: Page) => {
    await page.waitForURL(`${origin}/auth/callback?*`)
    await page.waitForFunction('document.getElementById("result").textContent !== ""')
    return JSON.parse((await page.textContent('#result')) ?? '{}')
  }

  await t.test('signing in', async (t) => {
    const page = await open()
    await page.click('#sign-in')
    const { query, exchanged, referrer } = await passPages(page, 'ada')
    t.same(Object.keys(query), ['ticket'])
    t.match(exchanged, { status: 200, body: { user: { username: 'ada' } } })
    t.notMatch(referrer, /code=/)
    const cookies = await page.context().cookies(`${origin}/api/auth/refresh`)
    t.match(
      cookies.find(({ name }) => name === 'refresh_token'),
      { httpOnly: true, sameSite: 'Strict', path: '/api/auth' },
    )
    t.match(
      cookies.find(({ name }) => name === 'oauth_flow'),
      { httpOnly: true, sameSite: 'Lax', path: '/' },
    )
    t.match(await page.evaluate(`call('POST', '/api/auth/refresh')`), { status: 200 }, 'and staying so')
    t.match(
      await page.evaluate(`call('POST', '/api/auth/oauth/exchange-ticket', { ticket: '${query.ticket}' })`),
      { status: 401 },
      'the ticket is spent',
    )
  })

  await t.test('35. without the cookie of the beginning the way back leads nowhere', async (t) => {
    const page = await open()
    await page.click('#sign-in')
    await page.waitForSelector('input[name=login]')
    await page.context().clearCookies({ name: 'oauth_flow' })
    t.match(await passPages(page, 'eve'), { query: { error: 'state_invalid' } })
  })

  await t.test('binding', async (t) => {
    await addUser('grace')
    const { accessToken } = await signIn('grace')
    const page = await open()
    await page.evaluate(`bind(${JSON.stringify(accessToken)})`)
    const { query } = await passPages(page, 'grace-elsewhere')
    t.same(query, { bound: '1', provider_id: 'oidc' })
  })
})

void t.test('behind the reverse proxy that we ship', async (t) => {
  const port = await freePort()
  const siteUrl = `http://127.0.0.1:${port}`
  const { app, admin } = await startApp(t, {
    environment: { SITE_URL: siteUrl, REGISTRATION: 'open', TRUST_PROXY: '127.0.0.1' },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const proxyUrl = await startCaddy(t, `127.0.0.1:${(app.server.address() as AddressInfo).port}`, port)
  t.equal(proxyUrl, siteUrl)
  const openId = await startOpenId(t, `${siteUrl}/oauth/oidc`)
  await admin.post('/api/oauth/providers', oidc(openId.wellKnownUrl))

  const evil = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.9',
    forwarded: 'host=evil.example;proto=https',
  }
  const browser = new Browser()
  const start = await browser.get(`${proxyUrl}/api/auth/oauth/oidc/authorize`, evil)
  t.equal(new URL(start.location ?? '').searchParams.get('redirect_uri'), `${siteUrl}/oauth/oidc`)
  const back = await browser.travel(start.location ?? '', `${siteUrl}/oauth/oidc`)
  const end = await browser.get(back.href, evil)
  t.equal(end.status, 302)
  t.ok(end.location?.startsWith(`${siteUrl}/auth/callback?ticket=`), end.location ?? '')
  const ticket = new URL(end.location ?? '').searchParams.get('ticket')
  const { status, json } = await browser.post(`${proxyUrl}/api/auth/oauth/exchange-ticket`, { ticket }, evil)
  t.equal(status, 200)
  t.equal(json.user.username, 'alice')
})
