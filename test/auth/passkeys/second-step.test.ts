import t from 'tap'
import { passkeyRequestOptions, verifyPasskeyStep } from '../../../modules/auth/passkeys/service.ts'
import { call, PASSWORD, startApp } from '../../helpers/app.ts'
import { Authenticator, type Twist } from '../../helpers/authenticator.ts'
import { refreshCookie } from '../../helpers/cookies.ts'
import { atSecondStep, ENVIRONMENT, ORIGIN, register, signInAlone } from './ceremonies.ts'

const service = await startApp(t, { environment: ENVIRONMENT })
const { app, database, addUser, signIn } = service

async function withPasskey(name: string, twist: Twist = {}) {
  const userId = await addUser(name)
  const client = await signIn(name)
  const authenticator = new Authenticator(ORIGIN)
  const { body } = await register(client, authenticator, { twist })
  return { userId, client, authenticator, passkeyId: body.id as string }
}

/** Goes to the second step and answers it. */
async function answerStep(userId: string, authenticator: Authenticator, twist: Twist = {}) {
  const { pending, options } = await atSecondStep(service, userId)
  return verifyPasskeyStep(app, pending, authenticator.get((await options()).body, twist))
}

void t.test('a passkey is the second factor, also without a PIN', async (t) => {
  const { userId, authenticator, passkeyId } = await withPasskey('ada')
  const { pending, options } = await atSecondStep(service, userId)
  const { status, body } = await options()
  t.equal(status, 200)
  t.match(body, { rpId: 'dns.example.com', userVerification: 'preferred' })
  t.match(body.allowCredentials, [{ type: 'public-key', transports: ['internal', 'hybrid'] }])
  const credential = authenticator.get(body, { userVerified: false })
  t.equal(await verifyPasskeyStep(app, pending, credential), true)
  t.equal(await verifyPasskeyStep(app, pending, credential), false, '31: replayed')
  const { db } = database
  const row = await db.selectFrom('passkeys').selectAll().where('id', '=', passkeyId).executeTakeFirst()
  t.ok(row?.last_used_at)
})

void t.test('20. password and passkey begin a session of its own', async (t) => {
  const { userId, client, authenticator } = await withPasskey('whole')
  const post = (url: string, payload?: object, token?: string) =>
    call(app, {
      method: 'POST',
      url,
      ...(payload && { payload }),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    })
  const first = await post('/api/auth/login', { username: 'whole', password: PASSWORD, rememberMe: true })
  t.match(first, { status: 200, body: { requires2FA: true, methods: ['passkey'] } })
  t.notOk(first.body.accessToken)
  const token = first.body.tempToken as string
  const verify = (credential: object) => post('/api/2fa/verify', { method: 'passkey', credential }, token)

  const options = async () => (await post('/api/2fa/passkey/options', undefined, token)).body
  const wrong = authenticator.get(await options(), { origin: 'https://evil.example' })
  t.match(await verify(wrong), { status: 401, body: { code: 'invalid_credentials' } })
  const credential = authenticator.get(await options())
  const second = await verify(credential)
  t.match(second, { status: 200, body: { user: { id: userId } } })
  t.equal(refreshCookie(second)?.attributes['max-age'], '2592000', 'remembered, as the first step said')
  const { sessionId } = app.tokens.verify(second.body.accessToken, 'access')
  t.not(sessionId, app.tokens.verify(client.accessToken, 'access').sessionId)
  t.match(await verify(credential), { status: 401 }, 'the step is over')
})

void t.test('31. what does not answer these options is refused', async (t) => {
  const { userId, authenticator } = await withPasskey('strict')
  const other = await withPasskey('other')
  const twists: Record<string, Twist> = {
    'wrong origin': { origin: 'https://evil.example' },
    'wrong rpId': { rpId: 'evil.example' },
    'wrong challenge': { challenge: 'A'.repeat(43) },
    'another ceremony': { type: 'webauthn.create' },
    'nobody present': { userPresent: false },
    'a counter that goes back': { counter: 0 },
  }
  t.equal(await answerStep(userId, authenticator), true)
  for (const [what, twist] of Object.entries(twists)) {
    t.equal(await answerStep(userId, authenticator, twist), false, what)
  }
  const { pending, options } = await atSecondStep(service, userId)
  const { body } = await options()
  const foreign = other.authenticator.get({ ...body, allowCredentials: undefined })
  t.equal(await verifyPasskeyStep(app, pending, foreign), false, "another user's passkey")
  t.equal(await verifyPasskeyStep(app, pending, authenticator.get(body)), false, 'which uses it up')
})

void t.test('31. a challenge belongs to one sign-in', async (t) => {
  const { userId, authenticator } = await withPasskey('bound')
  const [first, second] = [await atSecondStep(service, userId), await atSecondStep(service, userId)]
  const { body: earlier } = await first.options()
  const { body } = await first.options()
  t.equal(await verifyPasskeyStep(app, second.pending, authenticator.get(body)), false, 'of another sign-in')
  const racing = authenticator.get(body)
  const verdicts = await Promise.all(
    Array.from({ length: 5 }, () => verifyPasskeyStep(app, first.pending, racing)),
  )
  t.equal(verdicts.filter(Boolean).length, 1, 'one of many at once')
  await first.options()
  t.equal(
    await verifyPasskeyStep(app, first.pending, authenticator.get(earlier)),
    false,
    'of earlier options',
  )

  const alone = (await call(app, { method: 'POST', url: '/api/auth/passkey/options' })).body
  await second.options()
  t.equal(
    await verifyPasskeyStep(app, second.pending, authenticator.get(alone)),
    false,
    'of another ceremony',
  )
  const { body: step } = await second.options()
  t.match(await signInAlone(service, authenticator, { twist: { challenge: step.challenge } }), {
    status: 401,
  })
})

void t.test('19. of a disabled user, a removed passkey, an expired sign-in', async (t) => {
  const { userId, client, authenticator, passkeyId } = await withPasskey('ending')
  const { db } = database
  const { pending, options } = await atSecondStep(service, userId)
  const take = async () => authenticator.get((await options()).body)
  const disable = (disabled_at: Date | null) =>
    db.updateTable('users').set({ disabled_at }).where('id', '=', userId).execute()

  const credential = await take()
  await disable(new Date())
  t.equal(await verifyPasskeyStep(app, pending, credential), false)
  await disable(null)

  const late = await take()
  const expires_at = new Date(Date.now() - 1000)
  await db
    .updateTable('sign_in_challenges')
    .set({ expires_at })
    .where('id', '=', pending.challengeId)
    .execute()
  t.equal(await verifyPasskeyStep(app, pending, late), false)
  t.match(await options(), { status: 401 })

  const next = await atSecondStep(service, userId)
  const last = authenticator.get((await next.options()).body)
  await client.delete(`/api/2fa/passkeys/${passkeyId}`)
  t.equal(await verifyPasskeyStep(app, next.pending, last), false)
  t.match(await next.options(), { status: 409 }, 'no passkey is left')
})

void t.test('24. the options are for the second step alone', async (t) => {
  const { userId, client } = await withPasskey('temp')
  t.match(await client.post('/api/2fa/passkey/options'), { status: 401 }, 'not for access tokens')
  const { pending } = await atSecondStep(service, userId)
  const token = app.tokens.sign('temp', userId, pending.challengeId)
  const headers = { authorization: `Bearer ${token}` }
  for (const [method, url] of [
    ['POST', '/api/2fa/passkeys/options'],
    ['POST', '/api/2fa/passkeys'],
    ['GET', '/api/2fa/passkeys'],
  ] as const) {
    t.match(await call(app, { method, url, headers }), { status: 401 }, `${method} ${url}`)
  }
  await t.rejects(passkeyRequestOptions(app, { ...pending, userId: service.admin.userId }), 'of another user')
})

void t.test('a PIN that is there at a second step makes a passkey fit to sign in alone', async (t) => {
  const { userId, authenticator } = await withPasskey('later', { userVerified: false })
  t.match(await signInAlone(service, authenticator), { status: 401 })
  t.equal(await answerStep(userId, authenticator, { userVerified: false }), true)
  t.match(await signInAlone(service, authenticator), { status: 401 })
  t.equal(await answerStep(userId, authenticator), true, 'after the password, so it is its user')
  t.match(await signInAlone(service, authenticator), { status: 200 })
})
