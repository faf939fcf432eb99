import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'otplib'
import t from 'tap'
import { startIssuer } from './simulators/issuer.ts'
import { Browser } from './helpers/browser.ts'
import { startService } from './helpers/service.ts'
import { hear } from '../helpers/events.ts'

type Assertions = Pick<typeof t, 'equal'>

const service = await startService(t)
const { db } = service.database
const issuer = await startIssuer(t)
const config = await service.configure('oidc', { wellKnownUrl: issuer.wellKnownUrl })

async function ticketFor(browser: Browser): Promise<string> {
  const { ticket } = await service.authorize('oidc', browser)
  if (ticket === undefined) throw new Error('No ticket')
  return ticket
}

const refused = (
  t: Assertions,
  { status, body }: { status: number; body: { code: string } },
  why: string,
) => {
  t.equal(status, 401, why)
  t.equal(body.code, 'invalid_credentials', why)
}

void t.test('48. 256 bits, only the hash is stored', async (t) => {
  const ticket = await ticketFor(new Browser())
  t.equal(Buffer.from(ticket, 'base64url').length, 32)
  const rows = await db.selectFrom('oauth_tickets').selectAll().execute()
  t.ok(rows.length > 0)
  for (const row of rows) t.not(row.hash.toString('base64url'), ticket)
})

void t.test('a sign-in from a new place is told', async (t) => {
  const told = hear(service.app, 'account.new_sign_in')
  const browser = new Browser()
  const { body } = await service.exchange(browser, await ticketFor(browser))
  t.same(await told(), [], 'the same place')
  await db.updateTable('sessions').set({ ip: '198.51.100.7' }).where('user_id', '=', body.user.id).execute()
  await service.exchange(browser, await ticketFor(browser))
  t.match(await told(), [{ payload: { userIds: [body.user.id] } }])
})

void t.test('48. counts once', async (t) => {
  const browser = new Browser()
  const ticket = await ticketFor(browser)
  t.equal((await service.exchange(browser, ticket)).status, 200)
  refused(t, await service.exchange(browser, ticket), 'the second time')
})

void t.test('48. of ten at the same time one opens', async (t) => {
  const browser = new Browser()
  const ticket = await ticketFor(browser)
  const answers = await Promise.all(Array.from({ length: 10 }, () => service.exchange(browser, ticket)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.equal(answers.filter(({ status }) => status === 401).length, 9)
})

void t.test('48. lives a minute', async (t) => {
  const browser = new Browser()
  const ticket = await ticketFor(browser)
  const row = await db
    .selectFrom('oauth_tickets')
    .select('expires_at')
    .orderBy('expires_at', 'desc')
    .executeTakeFirst()
  t.ok((row?.expires_at.getTime() ?? 0) - Date.now() <= 60_000)
  await db
    .updateTable('oauth_tickets')
    .set({ expires_at: new Date(Date.now() - 1) })
    .execute()
  await sleep(5)
  refused(t, await service.exchange(browser, ticket), 'late')
})

void t.test('48. opens only in the browser that signed in', async (t) => {
  const browser = new Browser()
  const ticket = await ticketFor(browser)
  refused(t, await service.exchange(new Browser(), ticket), 'no cookie')
  const other = new Browser()
  await ticketFor(other)
  refused(t, await service.exchange(other, ticket), 'another cookie')
  t.equal((await service.exchange(browser, ticket)).status, 200)
})

void t.test('made-up and malformed tickets', async (t) => {
  const browser = new Browser()
  await ticketFor(browser)
  refused(t, await service.exchange(browser, 'made-up'), 'made up')
  for (const ticket of ['', 7, null, undefined, ['x'], 'x'.repeat(201)]) {
    const { status, json } = await browser.post(`${service.url}/api/auth/oauth/exchange-ticket`, { ticket })
    t.equal(status, 400, JSON.stringify(ticket))
    t.equal(json.code, 'validation_failed')
  }
})

void t.test('disabled, unbound or without provider meanwhile', async (t) => {
  const browser = new Browser()
  const { user } = await service.enter('oidc', browser)
  const [one, two] = [await ticketFor(browser), await ticketFor(browser)]
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', user.id).execute()
  refused(t, await service.exchange(browser, one), 'user disabled')
  await db.updateTable('users').set({ disabled_at: null }).where('id', '=', user.id).execute()
  refused(t, await service.exchange(browser, one), 'and the ticket is spent')
  await db.updateTable('oauth_providers').set({ enabled: false }).execute()
  refused(t, await service.exchange(browser, two), 'provider disabled')
  await db.updateTable('oauth_providers').set({ enabled: true }).execute()
  t.equal((await service.exchange(browser, await ticketFor(browser))).status, 200)
})

void t.test('20. a session of its own, with the refresh cookie', async (t) => {
  const browser = new Browser()
  await service.enter('oidc', browser)
  const first = browser.cookie('refresh_token')
  await service.enter('oidc', browser)
  t.not(browser.cookie('refresh_token'), first)
  const { status, json } = await browser.post(`${service.url}/api/auth/refresh`, {})
  t.equal(status, 200)
  t.match(json.accessToken, /^ey/)
})

void t.test('32. the second factor is asked for here too', async (t) => {
  const browser = new Browser()
  const { accessToken } = await service.enter('oidc', browser)
  const headers = { authorization: `Bearer ${accessToken}` }
  const setup = await browser.post(`${service.url}/api/2fa/totp/setup`, {}, headers)
  const secret = setup.json.secret as string
  const code = await generate({ secret })
  t.equal((await browser.post(`${service.url}/api/2fa/totp/enable`, { code }, headers)).status, 200)

  const other = new Browser()
  const answer = await service.enter('oidc', other)
  t.match(answer, { requires2FA: true, tempToken: /^ey/, methods: ['totp'] })
  t.notOk(answer.accessToken)
  t.notOk(other.cookie('refresh_token'))
  const later = await generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 })
  const verified = await other.post(
    `${service.url}/api/2fa/verify`,
    { method: 'totp', code: later },
    { authorization: `Bearer ${answer.tempToken}` },
  )
  t.equal(verified.status, 200)
  t.match(verified.json, { accessToken: /^ey/, user: { username: 'paula' } })
})

void t.test('78. sign-in is in the audit trail, with how', async (t) => {
  const rows = await db.selectFrom('audit').selectAll().where('action', '=', 'auth.login').execute()
  t.ok(rows.some(({ after }) => JSON.stringify(after).includes('oauth:oidc')))
})

void t.test('deleting the provider takes what is under way with it', async (t) => {
  const browser = new Browser()
  const back = await browser.travel(
    `${service.url}/api/auth/oauth/oidc/authorize`,
    `${service.url}/oauth/oidc`,
  )
  const confirm = { headers: { 'x-confirm-delete': 'true' } }
  t.equal((await service.admin.delete(`/api/oauth/providers/${config.id}`, confirm)).status, 204)
  t.match((await browser.get(back.href)).location, /error=state_invalid/)
})
