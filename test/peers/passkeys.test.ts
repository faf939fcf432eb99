import type { AddressInfo } from 'node:net'
import { chromium, type CDPSession, type Page } from 'playwright-core'
import t from 'tap'
import { PASSWORD, startApp, type Answer } from '../helpers/app.ts'
import { startSite } from './passkey-site.ts'

/*
 * Passkeys in a real browser, Debian's Chromium, with its virtual authenticator, against the service as it
 * listens behind a site.
 */
t.setTimeout(120_000)

let apiPort = 0
const [site, otherSite] = [await startSite(() => apiPort), await startSite(() => apiPort)]
t.teardown(() => Promise.all([site.close(), otherSite.close()]))
const ORIGIN = `http://localhost:${site.port}`

const { app, addUser } = await startApp(t, { environment: { SITE_URL: ORIGIN } })
await app.listen({ host: '127.0.0.1', port: 0 })
apiPort = (app.server.address() as AddressInfo).port

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  // Its sandbox needs a user that is not root; it opens nothing but our own pages.
  args: ['--no-sandbox', '--headless=new'],
})
t.teardown(() => browser.close())

/** A browser of somebody's own, on the page, with a phone's kind of authenticator. */
async function openBrowser(origin = ORIGIN) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(origin)
  return { context, page, cdp, authenticatorId }
}

/** Calls a function of the page. */
const run = (page: Page, name: string, ...values: unknown[]): Promise<Answer> =>
  page.evaluate(`${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`)

const signIn = (page: Page, username: string) =>
  run(page, 'call', 'POST', '/api/auth/login', { body: { username, password: PASSWORD } })

/** A user with a passkey in the browser. */
async function withPasskey(username: string) {
  const userId = await addUser(username)
  const opened = await openBrowser()
  const { body } = await signIn(opened.page, username)
  const registered = await run(opened.page, 'register', body.accessToken, 'Phone')
  return { ...opened, userId, token: body.accessToken as string, registered }
}

const credentialsIn = async (cdp: CDPSession, authenticatorId: string) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials

void t.test('a passkey is registered', async (t) => {
  const { page, cdp, authenticatorId, userId, token, registered } = await withPasskey('ada')
  t.match(registered, { status: 201, body: { name: 'Phone', transports: ['internal'] } })
  const [held] = await credentialsIn(cdp, authenticatorId)
  t.match(held, { rpId: 'localhost', isResidentCredential: true, userName: 'ada' })
  t.equal(Buffer.from(held?.userHandle ?? '', 'base64').toString(), userId)
  const { body } = await run(page, 'call', 'GET', '/api/2fa/passkeys', { token })
  t.match(body, { passkeys: [{ name: 'Phone' }] })
  await t.rejects(run(page, 'register', token, 'Again'), /InvalidStateError/, 'one for each authenticator')
})

void t.test('a passkey is the second factor', async (t) => {
  const { page, userId } = await withPasskey('grace')
  const first = await signIn(page, 'grace')
  t.match(first, { status: 200, body: { requires2FA: true, methods: ['passkey'] } })
  t.notOk(first.body.accessToken)
  const second = await run(page, 'secondStep', first.body.tempToken)
  t.match(second, { status: 200, body: { user: { id: userId } } })
  const token = second.body.accessToken as string
  t.match(await run(page, 'call', 'GET', '/api/auth/me', { token }), { body: { user: { id: userId } } })
})

void t.test('32. a passkey alone signs in', async (t) => {
  const { context, page, cdp, authenticatorId, userId } = await withPasskey('edith')
  await context.clearCookies()
  for (const uses of [1, 2]) {
    const before = (await credentialsIn(cdp, authenticatorId))[0]?.signCount ?? 0
    t.match(await run(page, 'signInAlone'), { status: 200, body: { user: { id: userId } } }, `${uses}.`)
    t.ok(((await credentialsIn(cdp, authenticatorId))[0]?.signCount ?? 0) > before, 'its counter went up')
  }
  const cookies = await context.cookies(`${ORIGIN}/api/auth/refresh`)
  t.match(cookies, [{ name: 'refresh_token', httpOnly: true, sameSite: 'Strict', path: '/api/auth' }])
  t.match(
    await run(page, 'call', 'POST', '/api/auth/refresh'),
    { status: 200 },
    'the browser holds the session',
  )
})

void t.test('31. another origin gets nowhere', async (t) => {
  const { page, token } = await withPasskey('mary')
  await page.goto(`http://localhost:${otherSite.port}`)
  t.match(
    await run(page, 'signInAlone'),
    { status: 401, body: { code: 'invalid_credentials' } },
    'the browser lets a page of the same host use the passkey; the service sees where it was',
  )
  const { page: stranger } = await openBrowser(`http://localhost:${otherSite.port}`)
  t.match(await run(stranger, 'register', token, 'x'), {
    status: 400,
    body: { errors: [{ path: '/credential' }] },
  })
  const { page: other } = await openBrowser(`http://127.0.0.1:${site.port}`)
  await t.rejects(run(other, 'signInAlone'), /SecurityError/, 'of another host the browser itself refuses')
})

void t.test('31. a copy of an authenticator is found out by its counter', async (t) => {
  const { page, cdp, authenticatorId } = await withPasskey('copied')
  const [early] = await credentialsIn(cdp, authenticatorId)
  t.match(await run(page, 'signInAlone'), { status: 200 })
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  if (early)
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...early, signCount: 0 } })
  t.match(await run(page, 'signInAlone'), { status: 401 })
})
