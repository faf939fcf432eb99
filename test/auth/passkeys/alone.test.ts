import { randomBytes } from 'node:crypto'
import t from 'tap'
import { call, startApp } from '../../helpers/app.ts'
import { Authenticator, type Twist } from '../../helpers/authenticator.ts'
import { refreshCookie } from '../../helpers/cookies.ts'
import { auditOf, ENVIRONMENT, ORIGIN, register, signInAlone, signInWith, statusesOf } from './ceremonies.ts'
import { hear } from '../../helpers/events.ts'

const service = await startApp(t, { environment: ENVIRONMENT })
const { app, database, addUser, signIn } = service

const REFUSED = { status: 401, body: { code: 'invalid_credentials', detail: 'The passkey was not accepted' } }

const options = async () => (await call(app, { method: 'POST', url: '/api/auth/passkey/options' })).body

/** A user with a passkey. */
async function withPasskey(name: string, twist: Twist = {}) {
  const userId = await addUser(name)
  const client = await signIn(name)
  const authenticator = new Authenticator(ORIGIN)
  const { body } = await register(client, authenticator, { twist })
  return { userId, client, authenticator, passkeyId: body.id as string }
}

void t.test('32. a passkey alone signs in at once, as two factors in one', async (t) => {
  const { userId, client, authenticator, passkeyId } = await withPasskey('ada')
  t.match(await options(), { rpId: 'dns.example.com', userVerification: 'required' })
  t.notOk((await options()).allowCredentials, 'nothing is said about who has which passkey')
  const answer = await signInAlone(service, authenticator, { rememberMe: true })
  t.match(answer, { status: 200, body: { user: { id: userId, username: 'ada', role: 'member' } } })
  t.notOk('requires2FA' in answer.body)
  const cookie = refreshCookie(answer)
  t.equal(cookie?.value, answer.body.refreshToken)
  t.match(cookie?.attributes, { httponly: true, secure: true, samesite: 'Strict', 'max-age': '2592000' })
  const headers = { authorization: `Bearer ${answer.body.accessToken}` }
  t.match(await call(app, { url: '/api/auth/me', headers }), { status: 200, body: { user: { id: userId } } })
  const { body } = await client.get(`/api/2fa/passkeys/${passkeyId}`)
  t.ok(Date.parse(body.lastUsedAt) > Date.now() - 60_000)
  const [last] = (await auditOf(service, userId)).slice(-1)
  t.match(last, { action: 'auth.login', actor_id: userId, after: { by: ['passkey'] } })
  t.notOk(refreshCookie(await signInAlone(service, authenticator))?.attributes['max-age'], 'not remembered')
})

void t.test('20. each sign-in begins a session of its own', async (t) => {
  const { authenticator } = await withPasskey('twice')
  const answers = [await signInAlone(service, authenticator), await signInAlone(service, authenticator)]
  const [first, second] = answers.map(({ body }) => app.tokens.verify(body.accessToken, 'access').sessionId)
  t.not(first, second)
})

void t.test('from a new place it is told', async (t) => {
  const { userId, authenticator } = await withPasskey('mobile')
  const told = hear(app, 'account.new_sign_in')
  await signInAlone(service, authenticator)
  t.match(await told(), [{ payload: { userIds: [userId] } }])
  await signInAlone(service, authenticator)
  t.same(await told(), [], 'once')
})

void t.test('31. what does not answer our options is refused', async (t) => {
  const { userId, authenticator } = await withPasskey('strict')
  const twists: Record<string, Twist> = {
    'wrong origin': { origin: 'https://dns.example.com.evil.example' },
    'a page above': { origin: 'https://example.com' },
    'wrong rpId': { rpId: 'example.com' },
    'another ceremony': { type: 'webauthn.create' },
    'inside of another site': { crossOrigin: true },
    'nobody present': { userPresent: false },
    'user not verified': { userVerified: false },
    'unknown challenge': { challenge: randomBytes(32).toString('base64url') },
    'a challenge that is no text for a database': { challenge: '\0'.repeat(32) },
    'no user handle': { userHandle: null },
    "another user's handle": { userHandle: Buffer.from(service.admin.userId).toString('base64url') },
    'a user handle that is no text': { userHandle: Buffer.from([0, 255, 254]).toString('base64url') },
  }
  for (const [what, twist] of Object.entries(twists)) {
    t.match(await signInAlone(service, authenticator, { twist }), REFUSED, what)
  }
  const failures = (await auditOf(service, userId)).filter(({ action }) => action === 'auth.login_failed')
  t.equal(failures.length, Object.keys(twists).length - 2, 'all that answered a challenge of ours')
  t.match(await signInAlone(service, authenticator), { status: 200 }, 'and nothing is locked')
})

void t.test('31. a challenge counts once, in its ceremony and its time', async (t) => {
  const { client, authenticator } = await withPasskey('once')
  const credential = authenticator.get(await options())
  t.match(await signInWith(service, credential), { status: 200 })
  t.match(await signInWith(service, credential), REFUSED, 'replayed')

  const spoilt = await options()
  t.match(await signInWith(service, authenticator.get(spoilt, { origin: 'https://evil.example' })), REFUSED)
  t.match(await signInWith(service, authenticator.get(spoilt)), REFUSED, 'a failure uses it up')

  const { body: forRegistration } = await client.post('/api/2fa/passkeys/options')
  const crossed = { ...(await options()), challenge: forRegistration.challenge }
  t.match(await signInWith(service, authenticator.get(crossed)), REFUSED, 'of another ceremony')

  const late = authenticator.get(await options())
  const expires_at = new Date(Date.now() - 1000)
  await database.db.updateTable('webauthn_challenges').set({ expires_at }).execute()
  t.match(await signInWith(service, late), REFUSED, 'too late')

  const racing = authenticator.get(await options())
  const answers = await Promise.all(Array.from({ length: 5 }, () => signInWith(service, racing)))
  t.same(statusesOf(answers), [200, 401, 401, 401, 401])
})

void t.test('31. a counter that does not go up is refused', async (t) => {
  const { authenticator } = await withPasskey('counter', { counter: 5 })
  const use = (counter: number) => signInAlone(service, authenticator, { twist: { counter } })
  for (const counter of [0, 4, 5]) t.match(await use(counter), REFUSED, String(counter))
  t.match(await use(9), { status: 200 })
  t.match(await use(9), REFUSED, 'the same again')
  t.match(await use(8), REFUSED, 'a copy that lags behind')
  t.match(await use(10), { status: 200 })

  const [a, b] = [await options(), await options()]
  const racing = [authenticator.get(a, { counter: 20 }), authenticator.get(b, { counter: 20 })]
  const answers = await Promise.all(racing.map((credential) => signInWith(service, credential)))
  t.same(statusesOf(answers), [200, 401], 'also when both come at once')
})

void t.test('31. a passkey without a counter keeps working', async (t) => {
  const { authenticator } = await withPasskey('synced')
  const use = (counter: number) => signInAlone(service, authenticator, { twist: { counter } })
  for (let i = 0; i < 3; i++) t.match(await use(0), { status: 200 })
  t.match(await use(3), { status: 200 })
  t.match(await use(0), REFUSED, 'it had one already')
})

void t.test('31. a security key that came without a PIN gets no better by one from its finder', async (t) => {
  const { authenticator } = await withPasskey('plain', { userVerified: false })
  t.match(await signInAlone(service, authenticator, { twist: { userVerified: true } }), REFUSED)
})

void t.test('19. unknown, deleted, and of a disabled or deleted user: the same answer', async (t) => {
  const removed = await withPasskey('removed')
  await removed.client.delete(`/api/2fa/passkeys/${removed.passkeyId}`)
  const stranger = new Authenticator(ORIGIN)
  stranger.create({ challenge: 'x', rp: { id: 'dns.example.com' }, user: { id: 'eA' } })
  const disabled = await withPasskey('disabled')
  const { db } = database
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.userId).execute()
  const gone = await withPasskey('gone')
  await db.deleteFrom('users').where('id', '=', gone.userId).execute()
  const bodies = new Set<string>()
  for (const authenticator of [stranger, removed.authenticator, disabled.authenticator, gone.authenticator]) {
    const { status, body } = await signInAlone(service, authenticator)
    t.equal(status, 401)
    bodies.add(JSON.stringify({ ...body, requestId: '' }))
  }
  t.equal(bodies.size, 1)
})

void t.test('a renamed passkey signs in', async (t) => {
  const { client, authenticator, passkeyId } = await withPasskey('renamed')
  t.match(await client.put(`/api/2fa/passkeys/${passkeyId}`, { name: 'New name' }), { status: 200 })
  t.match(await signInAlone(service, authenticator), { status: 200 })
})

void t.test('two passkeys of one user, and of two users on one device, each sign in', async (t) => {
  const { client, authenticator, userId } = await withPasskey('several')
  const second = new Authenticator(ORIGIN)
  await register(client, second, { name: 'Laptop' })
  await addUser('housemate')
  const housemate = await signIn('housemate')
  await register(housemate, second, { name: 'Laptop' })
  t.match(await signInAlone(service, authenticator), { status: 200, body: { user: { id: userId } } })
  t.match(await signInAlone(service, second), { status: 200, body: { user: { id: housemate.userId } } })
})

void t.test('66. no credential of any shape breaks it', async (t) => {
  const { authenticator } = await withPasskey('shapes')
  const credential = authenticator.get(await options())
  const { response } = credential
  const malformed = [
    undefined,
    null,
    'x',
    [],
    {},
    { ...credential, type: 'password' },
    { ...credential, id: 'not base64url!' },
    { ...credential, response: { ...response, signature: 5 } },
    { ...credential, response: { ...response, clientDataJSON: 'a'.repeat(10_000) } },
  ]
  for (const entry of malformed) {
    t.match(await signInWith(service, entry), { status: 400, body: { code: 'validation_failed' } })
  }
  const foreign = [
    { ...credential, rawId: 'AAAA' },
    { ...credential, response: { ...response, clientDataJSON: 'bnVsbA' } },
    { ...credential, response: { ...response, clientDataJSON: 'AAAA' } },
  ]
  for (const entry of foreign) t.match(await signInWith(service, entry), REFUSED)
  for (const field of ['authenticatorData', 'signature']) {
    const fresh = authenticator.get(await options())
    const broken = { ...fresh, response: { ...fresh.response, [field]: 'AAAA' } }
    t.match(await signInWith(service, broken), REFUSED, field)
  }
})

void t.test('63. tries are limited', async (t) => {
  const limited = await startApp(t, { environment: { ...ENVIRONMENT, RATE_LIMIT: '1000' } })
  const stranger = new Authenticator(ORIGIN)
  stranger.create({ challenge: 'x', rp: { id: 'dns.example.com' }, user: { id: 'eA' } })
  const credential = stranger.get(await options())
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) statuses.push((await signInWith(limited, credential)).status)
  t.equal(statuses.at(-2), 401)
  const over = await signInWith(limited, credential)
  t.match(over, { status: 429, body: { code: 'rate_limited' } })
  t.ok(Number(over.headers['retry-after']) > 0)
  t.equal(over.body.retryAfter, Number(over.headers['retry-after']))
})
