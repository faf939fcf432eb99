import { randomUUID } from 'node:crypto'
import t from 'tap'
import { addTotp, calm, codeOf, verify } from '../auth/two-factor/steps.ts'
import { call, type Client } from '../helpers/app.ts'
import { Browser } from './helpers/browser.ts'
import { CLIENT_ID, startService } from './helpers/service.ts'
import { startIssuer } from './simulators/issuer.ts'

/* People who sign in by an identity provider where everyone needs a second factor. */
const service = await startService(t, { environment: { REQUIRE_SECOND_FACTOR: 'everyone' } })
const issuer = await startIssuer(t)
await addTotp(service.admin)
await service.configure('idp_a', { wellKnownUrl: issuer.wellKnownUrl })

const send = (token: string, method: 'GET' | 'POST', url: string, payload?: object) =>
  call(service.app, {
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })

/** Signs in for the first time, and sets up an authenticator app. */
async function enroll(sub: string): Promise<{ token: string; secret: string }> {
  issuer.person = { ...issuer.person, sub, email: `${sub}@example.test` }
  const { accessToken: token } = await service.enter('idp_a')
  t.match(await send(token, 'GET', '/api/domains'), { status: 403, body: { code: 'second_factor_required' } })
  t.equal((await send(token, 'GET', '/api/auth/me')).status, 200, 'the own account can be read')
  const client = { post: (url: string, body?: object) => send(token, 'POST', url, body) } as Client
  return { token, secret: (await addTotp(client)).secret }
}

void t.test('107. who comes from an identity provider needs one too', async (t) => {
  const { token, secret } = await enroll('tess')
  t.equal((await send(token, 'GET', '/api/domains')).status, 200, 'the session goes on')
  const { tempToken, accessToken } = await service.enter('idp_a')
  t.equal(accessToken, undefined)
  const verified = await verify(service, tempToken, { method: 'totp', code: codeOf(secret) })
  t.equal(verified.status, 200)
  t.equal((await send(verified.body.accessToken, 'GET', '/api/domains')).status, 200)
})

void t.test('a logout at the provider ends a sign-in that waits for its second factor', async (t) => {
  const { secret } = await enroll('uma')
  const { tempToken } = await service.enter('idp_a')
  const seconds = Math.floor(Date.now() / 1000)
  const logout_token = issuer.sign({
    iss: issuer.issuer,
    aud: CLIENT_ID,
    iat: seconds,
    exp: seconds + 120,
    jti: randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    sub: 'uma',
  })
  const address = `${service.url}/api/auth/oauth/idp_a/backchannel-logout`
  t.equal((await new Browser().submit(address, { logout_token })).status, 200)
  await calm()
  t.equal((await verify(service, tempToken, { method: 'totp', code: codeOf(secret) })).status, 401)
  const again = await service.enter('idp_a')
  const verified = await verify(service, again.tempToken, { method: 'totp', code: codeOf(secret) })
  t.equal(verified.status, 200, 'signing in again works')
})
