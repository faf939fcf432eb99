import { randomBytes } from 'node:crypto'
import t from 'tap'
import { PASSWORD, startApp } from '../../helpers/app.ts'
import { Authenticator } from '../../helpers/authenticator.ts'
import { ageSessions, auditOf, ENVIRONMENT, ORIGIN, register, statusesOf } from './ceremonies.ts'
import { hear } from '../../helpers/events.ts'

const service = await startApp(t, {
  environment: { ...ENVIRONMENT, CORS_ORIGINS: 'https://app.dns.example.com,https://other.example.com' },
})
const { app, admin, database, addUser, signIn } = service
const URL = '/api/2fa/passkeys'

async function newUser(name: string) {
  await addUser(name)
  return signIn(name)
}

void t.test('a passkey is registered, listed, read, renamed and removed', async (t) => {
  const user = await newUser('ada')
  const heard = hear(app, 'account.second_factor_changed')
  const authenticator = new Authenticator(ORIGIN)
  const options = await user.post(`${URL}/options`)
  t.match(options, {
    status: 200,
    body: {
      rp: { id: 'dns.example.com', name: 'Zonekeeper' },
      user: { id: Buffer.from(user.userId).toString('base64url'), name: 'ada', displayName: 'ada' },
      attestation: 'none',
      excludeCredentials: { length: 0 },
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    },
  })
  t.same(
    options.body.pubKeyCredParams.map(({ alg }: { alg: number }) => alg),
    [-8, -7, -257],
  )
  const added = await user.post(URL, { name: 'Phone', credential: authenticator.create(options.body) })
  t.match(added, { status: 201, body: { name: 'Phone', backedUp: false, lastUsedAt: null } })
  const { id } = added.body
  t.equal(added.headers['location'], `${URL}/${id}`)
  const { recoveryCodes, ...passkey } = added.body
  t.equal(recoveryCodes.length, 10)
  t.same(Object.keys(passkey).sort(), ['backedUp', 'createdAt', 'id', 'lastUsedAt', 'name', 'transports'])
  t.same(passkey.transports, ['internal', 'hybrid'])
  t.same((await user.get(URL)).body, { passkeys: [passkey] })
  t.same((await user.get(`${URL}/${id}`)).body, passkey)

  const again = await user.post(`${URL}/options`)
  t.equal(again.body.excludeCredentials.length, 1, 'an authenticator is not registered twice')

  const renamed = await user.put(`${URL}/${id}`, { name: 'Old phone' })
  t.same(renamed.body, { ...passkey, name: 'Old phone' })
  t.match(await user.delete(`${URL}/${id}`), { status: 204 })
  t.same((await user.get(URL)).body, { passkeys: [] })
  t.match(await user.delete(`${URL}/${id}`), { status: 404 })
  t.same(
    (await heard()).map(({ payload }) => payload.metadata.change),
    ['passkey_added', 'passkey_removed'],
  )
  t.match(await auditOf(service, user.userId), [
    { action: 'auth.login' },
    { action: 'user.passkey_added', actor_id: user.userId, after: { id, name: 'Phone' } },
    { action: 'user.passkey_renamed', before: { id, name: 'Phone' }, after: { id, name: 'Old phone' } },
    { action: 'user.passkey_removed', before: { id, name: 'Old phone' } },
  ])
})

void t.test('the only way into an account stays', async (t) => {
  const user = await newUser('keys-only')
  const first = (await register(user, new Authenticator(ORIGIN))).body
  const second = (await register(user, new Authenticator(ORIGIN))).body
  await database.db.updateTable('users').set({ password_hash: null }).where('id', '=', user.userId).execute()
  t.match(await user.delete(`${URL}/${first.id}`), { status: 204 })
  t.match(await user.delete(`${URL}/${second.id}`), { status: 409, body: { code: 'last_sign_in_method' } })
  t.match((await user.get(URL)).body.passkeys, [{ id: second.id }])
})

void t.test('60. a foreign passkey is as good as none', async (t) => {
  const owner = await newUser('owner')
  const { body } = await register(owner, new Authenticator(ORIGIN))
  const url = `${URL}/${body.id}`
  for (const other of [admin, await newUser('other')]) {
    t.match(await other.get(url), { status: 404 })
    t.match(await other.put(url, { name: 'Mine' }), { status: 404 })
    t.match(await other.delete(url), { status: 404 })
  }
  t.match(await owner.get(url), { status: 200, body: { name: 'Phone' } })
})

void t.test('31. what does not answer our options is refused', async (t) => {
  const user = await newUser('strict')
  const twists = {
    'wrong origin': { origin: 'https://dns.example.org' },
    'origin with a port': { origin: `${ORIGIN}:8443` },
    'origin on http': { origin: 'http://dns.example.com' },
    'configured origin of another host': { origin: 'https://other.example.com' },
    'wrong rpId': { rpId: 'example.com' },
    'another ceremony': { type: 'webauthn.get' },
    'inside of another site': { crossOrigin: true },
    'nobody present': { userPresent: false },
    'unknown challenge': { challenge: randomBytes(32).toString('base64url') },
    'a challenge that is no text for a database': { challenge: 'a\0'.repeat(16) },
    'an endless credential id': { credentialId: randomBytes(4000) },
    'a certified authenticator': {
      attestation: { format: 'packed', statement: new Map<string, unknown>([['x5c', [randomBytes(20)]]]) },
    },
    'a statement without a signature': { attestation: { format: 'packed', statement: new Map() } },
    'an unknown format': { attestation: { format: 'x', statement: new Map() } },
  }
  for (const [what, twist] of Object.entries(twists)) {
    const answer = await register(user, new Authenticator(ORIGIN), { twist })
    t.match(answer, { status: 400, body: { code: 'validation_failed' } }, what)
    t.match(answer.body.errors, [{ path: '/credential' }], what)
  }
  t.same((await user.get(URL)).body.passkeys, [])
  const below = { origin: 'https://app.dns.example.com' }
  t.match(await register(user, new Authenticator(ORIGIN), { twist: below }), { status: 201 }, 'a page below')
})

void t.test('31. a challenge counts once, for its user, its ceremony and its time', async (t) => {
  const [user, other] = [await newUser('once'), await newUser('thief')]
  const authenticator = new Authenticator(ORIGIN)
  const options = async () => (await user.post(`${URL}/options`)).body
  const add = (client: typeof user, credential: object) => client.post(URL, { name: 'x', credential })

  const first = authenticator.create(await options())
  t.match(await add(other, first), { status: 400 }, "another user's")
  t.match(await add(user, first), { status: 201 }, 'which leaves it to its user')
  t.match(await add(user, first), { status: 400 }, 'replayed')

  const spoilt = await options()
  t.match(await add(user, authenticator.create(spoilt, { origin: 'https://evil.example' })), { status: 400 })
  t.match(await add(user, authenticator.create(spoilt)), { status: 400 }, 'a failure uses it up')

  const late = authenticator.create(await options())
  await database.db
    .updateTable('webauthn_challenges')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  t.match(await add(user, late), { status: 400 }, 'too late')

  const { body: forSignIn } = await admin.post('/api/auth/passkey/options')
  const crossed = authenticator.create({ ...(await options()), challenge: forSignIn.challenge })
  t.match(await add(user, crossed), { status: 400 }, 'of another ceremony')

  const racing = authenticator.create(await options())
  const answers = await Promise.all(Array.from({ length: 5 }, () => add(user, racing)))
  t.same(statusesOf(answers), [201, 400, 400, 400, 400])
})

void t.test('a credential belongs to one account', async (t) => {
  const [user, other] = [await newUser('first'), await newUser('second')]
  const credentialId = randomBytes(16)
  t.match(await register(user, new Authenticator(ORIGIN), { twist: { credentialId } }), { status: 201 })
  const copy = await register(other, new Authenticator(ORIGIN), { twist: { credentialId } })
  t.match(copy, {
    status: 400,
    body: { errors: [{ path: '/credential', message: 'is already registered' }] },
  })
})

void t.test('30. adding and removing needs a fresh sign-in or the password', async (t) => {
  const user = await newUser('stale')
  const authenticator = new Authenticator(ORIGIN)
  await ageSessions(service, user.userId)
  const { body: options } = await user.post(`${URL}/options`)
  const credential = authenticator.create(options)
  const add = (more: object) => user.post(URL, { name: 'Phone', credential, ...more })
  t.match(await add({}), { status: 403, body: { code: 'reauthentication_required' } })
  t.match(await add({ password: 'wrong' }), { status: 400, body: { errors: [{ path: '/password' }] } })
  const added = await add({ password: PASSWORD })
  t.match(added, { status: 201 }, 'the same credential, with the password')

  const url = `${URL}/${added.body.id}`
  const remove = (payload?: object) => user.delete(url, payload && { payload })
  t.match(await user.put(url, { name: 'Renamed' }), { status: 200 }, 'a name changes nothing')
  t.match(await remove(), { status: 403, body: { code: 'reauthentication_required' } })
  t.match(await remove({ password: '' }), { status: 400 })
  t.match(await remove({ password: PASSWORD }), { status: 204 })
})

void t.test('66. strict names and credentials', async (t) => {
  const user = await newUser('names')
  const { body: options } = await user.post(`${URL}/options`)
  const credential = new Authenticator(ORIGIN).create(options)
  const { response } = credential
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(65), 5, null, undefined]) {
    t.match(await user.post(URL, { name, credential }), { status: 400 }, `name ${JSON.stringify(name)}`)
  }
  const broken = [
    null,
    'x',
    {},
    { ...credential, type: 'password' },
    { ...credential, id: 'no base64url!' },
    { ...credential, id: undefined },
    { ...credential, rawId: 'AAAA' },
    { ...credential, response: null },
    { ...credential, response: { ...response, clientDataJSON: 'bnVsbA' } },
    { ...credential, response: { ...response, clientDataJSON: 'AAAA' } },
    { ...credential, response: { ...response, attestationObject: 'AAAA' } },
    { ...credential, response: { ...response, attestationObject: 'A'.repeat(20_000) } },
    { ...credential, response: { ...response, attestationObject: 5 } },
    { ...credential, response: { ...response, transports: Array.from({ length: 11 }, () => 'usb') } },
  ]
  for (const entry of broken) {
    const answer = await user.post(URL, { name: 'x', credential: entry })
    t.match(answer, { status: 400, body: { code: 'validation_failed' } }, JSON.stringify(entry)?.slice(0, 80))
  }
  for (const name of ['', 'a\u0000b']) {
    t.match(await user.put(`${URL}/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10`, { name }), { status: 400 })
  }
})

void t.test('an account has at most 20 passkeys, also when many come at once', async (t) => {
  const user = await newUser('collector')
  for (let i = 0; i < 18; i++) await register(user, new Authenticator(ORIGIN))
  const credentials = await Promise.all(
    Array.from({ length: 5 }, async () =>
      new Authenticator(ORIGIN).create((await user.post(`${URL}/options`)).body),
    ),
  )
  const answers = await Promise.all(
    credentials.map((credential) => user.post(URL, { name: 'Phone', credential })),
  )
  t.same(statusesOf(answers), [201, 201, 409, 409, 409])
  t.match(await user.post(`${URL}/options`), { status: 409, body: { code: 'conflict' } })
  t.equal((await user.get(URL)).body.passkeys.length, 20)
})

void t.test('29. recovery codes come with the first second factor and go with the last', async (t) => {
  const user = await newUser('codes')
  const kept = async () =>
    (
      await database.db
        .selectFrom('recovery_codes')
        .select('hash')
        .where('user_id', '=', user.userId)
        .execute()
    ).length
  const answers = []
  for (let i = 0; i < 3; i++) answers.push((await register(user, new Authenticator(ORIGIN))).body)
  t.same(
    answers.map(({ recoveryCodes }) => recoveryCodes.length),
    [10, 0, 0],
  )
  const [first, ...others] = answers.map(({ id }) => `${URL}/${id}`)
  await user.delete(first as string)
  t.equal(await kept(), 10, 'other passkeys are left')
  await Promise.all(others.map((url) => user.delete(url)))
  t.equal(await kept(), 0)
})
