import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listen } from '../helpers/stream.ts'
import { startIssuer } from './simulators/issuer.ts'
import { Browser } from './helpers/browser.ts'
import { startOpenId } from './helpers/openid.ts'
import { CLIENT_ID, startService } from './helpers/service.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const service = await startService(t)
const { db } = service.database
const addressOf = (providerId: string) => `${service.url}/api/auth/oauth/${providerId}/backchannel-logout`
const openId = await startOpenId(t, `${service.url}/oauth/oidc`, { logoutUri: addressOf('oidc') })
const issuer = await startIssuer(t)
await service.configure('oidc', { wellKnownUrl: openId.wellKnownUrl })
await service.configure('idp_a', { wellKnownUrl: issuer.wellKnownUrl })

const me = async (accessToken: string) => {
  const page = await new Browser().get(`${service.url}/api/auth/me`, {
    authorization: `Bearer ${accessToken}`,
  })
  return page.status
}

const audited = async (action: string) => {
  const rows = await db.selectFrom('audit').selectAll().where('action', '=', action).execute()
  return rows.length
}

void t.test('signing out at the provider ends the session that began there', async (t) => {
  openId.account = 'alice'
  const [browser, other] = [new Browser(), new Browser()]
  const session = await service.enter('oidc', browser)
  const elsewhere = await service.enter('oidc', other)
  const stream = await listen(service.url, { token: session.accessToken })
  await stream.count(1)

  const page = await browser.get(`${openId.issuer}/session/end`)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  await browser.submit(`${openId.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
  t.same(openId.logouts, ['delivered'])
  if (openId.logouts[0] !== 'delivered') return stream.close()

  await stream.ended
  t.equal(await me(session.accessToken), 401)
  const refreshed = await browser.post(`${service.url}/api/auth/refresh`, {}, { origin: service.url })
  t.equal(refreshed.status, 401, 'the refresh token has ended')
  t.equal(await me(elsewhere.accessToken), 200, 'another session at the provider lives on')
  t.equal(await audited('auth.provider_logout'), 1)
  t.equal((await service.enter('oidc', browser)).user.id, session.user.id, 'signing in again works')
})

const seconds = () => Math.floor(Date.now() / 1000)

/** What an honest provider says. */
const claims = (more: object = {}) => ({
  iss: issuer.issuer,
  aud: CLIENT_ID,
  iat: seconds(),
  exp: seconds() + 120,
  jti: randomUUID(),
  events: { [EVENT]: {} },
  sub: issuer.person.sub,
  ...more,
})

const send = (token: string, providerId = 'idp_a') =>
  new Browser().submit(addressOf(providerId), { logout_token: token })

void t.test('a forged token ends nothing', async (t) => {
  const { accessToken } = await service.enter('idp_a')
  const without = (name: string) =>
    Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name))
  const good = issuer.sign(claims())
  const FORGED: Record<string, string> = {
    'no token': '',
    'no JSON Web Token': 'a.b.c',
    'algorithm none': issuer.sign(claims(), { alg: 'none' }),
    'HS256 with the client secret': issuer.sign(claims(), { alg: 'HS256' }),
    'signature of another key': issuer.forge(good),
    'signature cut off': good.slice(0, good.lastIndexOf('.') + 1),
    'an unknown key id': issuer.sign(claims(), { kid: 'elsewhere' }),
    'another audience': issuer.sign(claims({ aud: 'somebody-else' })),
    'another issuer': issuer.sign(claims({ iss: openId.issuer })),
    'a nonce': issuer.sign(claims({ nonce: 'one' })),
    'issued long ago': issuer.sign(claims({ iat: seconds() - 600 })),
    'issued in the future': issuer.sign(claims({ iat: seconds() + 600 })),
    expired: issuer.sign(claims({ exp: seconds() - 60 })),
    'another type': issuer.sign(claims(), { typ: 'at+jwt' }),
    'another event': issuer.sign(claims({ events: { 'https://example.com/event': {} } })),
    'an event that is no object': issuer.sign(claims({ events: { [EVENT]: true } })),
    'a subject that is no text': issuer.sign(claims({ sub: 5 })),
    'neither subject nor session': issuer.sign(without('sub')),
    ...Object.fromEntries(
      ['iss', 'aud', 'iat', 'exp', 'jti', 'events'].map((name) => [`no ${name}`, issuer.sign(without(name))]),
    ),
  }
  for (const [what, token] of Object.entries(FORGED)) {
    const { status, json, headers } = await send(token)
    t.match({ status, json }, { status: 400, json: { error: 'invalid_request' } }, what)
    t.match(headers.get('cache-control'), 'no-store')
  }
  t.equal((await send(good, 'oidc')).status, 400, 'a token of another provider')
  t.equal(await me(accessToken), 200)
  t.equal(await audited('auth.provider_logout_failed'), Object.keys(FORGED).length + 1)
  t.equal((await send(good)).status, 200)
  t.equal(await me(accessToken), 401)
})

void t.test('a token counts once, also of many at the same time', async (t) => {
  const token = issuer.sign(claims(), { typ: 'logout+jwt' })
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(token)))
  const taken = answers.filter(({ status }) => status === 200)
  t.equal(taken.length, 1)
  t.equal(answers.filter(({ status }) => status === 400).length, 4)
  const { accessToken } = await service.enter('idp_a')
  t.equal((await send(token)).status, 400)
  t.equal(await me(accessToken), 200, 'the session after it lives on')
})

void t.test('a session id ends that session, a subject all of the person, and nobody else', async (t) => {
  const enter = async (sub: string, sid?: string) => {
    issuer.person = { ...issuer.person, sub, email: `${sub}@example.test` }
    issuer.lies.claims = (truth) => ({ ...truth, ...(sid !== undefined && { sid }) })
    return (await service.enter('idp_a')).accessToken as string
  }
  const [one, two, unnamed, quentin] = [
    await enter('petra', 's1'),
    await enter('petra', 's2'),
    await enter('petra'),
    await enter('quentin', 's1'),
  ]
  issuer.lies = {}
  const states = async () => [await me(one), await me(two), await me(unnamed), await me(quentin)]
  await send(issuer.sign(claims({ sub: 'petra', sid: 's1' })))
  t.same(await states(), [401, 200, 401, 200], 'that one, and one of hers whose session is not known')
  const { sub: _sub, ...bySession } = claims({ sid: 's2' })
  await send(issuer.sign(bySession))
  t.same(await states(), [401, 401, 401, 200])
  t.equal((await send(issuer.sign(claims({ sub: 'nobody' })))).status, 200, 'there is nothing to end')
  await send(issuer.sign(claims({ sub: 'quentin' })))
  t.same(await states(), [401, 401, 401, 401])
})

void t.test('a ticket ends with the sign-in it came from', async (t) => {
  issuer.person = { ...issuer.person, sub: 'rita', email: 'rita@example.test' }
  const browser = new Browser()
  const { ticket } = await service.authorize('idp_a', browser)
  t.equal((await send(issuer.sign(claims({ sub: 'rita' })))).status, 200)
  t.equal((await service.exchange(browser, ticket as string)).status, 401)
})

void t.test('only enabled OpenID providers have it', async (t) => {
  for (const id of ['nobody', 'codehost_a', 'custom'])
    t.equal((await send(issuer.sign(claims()), id)).status, 404)
  const json = await new Browser().post(addressOf('idp_a'), { logout_token: 'x' })
  t.equal(json.status, 400)
  const long = await send('x'.repeat(20_000))
  t.equal(long.status, 413)
})
