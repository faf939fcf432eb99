import { sql } from 'kysely'
import t from 'tap'
import { call, PASSWORD, startApp } from '../../helpers/app.ts'
import { Authenticator } from '../../helpers/authenticator.ts'
import { ENVIRONMENT, ORIGIN, register } from '../passkeys/ceremonies.ts'
import {
  actionsOf,
  addTotp,
  calm,
  codeOf,
  login,
  tempToken,
  verify,
  withToken,
  withTotp,
  wrong,
} from './steps.ts'

const service = await startApp(t, { environment: ENVIRONMENT })
const { app, database, addUser, signIn, admin } = service
const { db } = database

const WRONG = { status: 401, body: { code: 'invalid_credentials' } }
const OVER = { status: 401, body: { code: 'unauthenticated', detail: /sign in again/ } }

const forgetFailures = (userId: string) =>
  db
    .updateTable('users')
    .set({ factor_failures: 0, factor_failures_since: null, totp_last_step: '0' })
    .where('id', '=', userId)
    .execute()

void t.test('24. the temporary token opens the second step and nothing else', async (t) => {
  await withTotp(service, 'temp')
  const token = await tempToken(service, 'temp')
  const { body: description } = await call(app, { url: '/openapi.json' })
  const second: string[] = []
  const refused = { code: 'unauthenticated' }
  for (const [path, operations] of Object.entries<Record<string, { security?: object[] }>>(
    description.paths,
  )) {
    for (const [method, { security = [] }] of Object.entries(operations)) {
      if (security.length === 0) continue
      const url = path.replaceAll(/\{\w+\}/g, '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10')
      const headers = { authorization: `Bearer ${token}` }
      const answer = await call(app, { method: method.toUpperCase(), url, headers })
      // dyndns2 has a word of its own for it.
      const body = path.endsWith('/update') && path.split('/').length === 3 ? 'badauth\n' : refused
      if (security.some((scheme) => 'temporaryToken' in scheme)) second.push(`${method} ${path}`)
      else t.match(answer, { status: 401, body }, `${method} ${path}`)
    }
  }
  t.same(second.sort(), ['post /api/2fa/email/send', 'post /api/2fa/passkey/options', 'post /api/2fa/verify'])
  const asRefresh = { method: 'POST', url: '/api/auth/refresh', payload: { refreshToken: token } } as const
  t.match(await call(app, asRefresh), { status: 401 })
})

void t.test('24. an access token is no temporary token', async (t) => {
  const { client, secret } = await withTotp(service, 'access')
  const answer = await client.post('/api/2fa/verify', { method: 'totp', code: codeOf(secret) })
  t.match(answer, { status: 401, body: { code: 'unauthenticated' } })
  t.match(
    await call(app, { method: 'POST', url: '/api/2fa/verify', payload: { method: 'totp', code: '1' } }),
    {
      status: 401,
    },
  )
})

void t.test('24. the temporary token lives 5 minutes and counts once', async (t) => {
  const { secret, userId } = await withTotp(service, 'once')
  const token = await tempToken(service, 'once')
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  t.equal(exp - iat, 300)
  await calm()
  t.match(await verify(service, token, { method: 'totp', code: codeOf(secret) }), { status: 200 })
  await forgetFailures(userId)
  t.match(await verify(service, token, { method: 'totp', code: codeOf(secret) }), OVER)
  const late = await tempToken(service, 'once')
  await db
    .updateTable('sign_in_challenges')
    .set({ expires_at: sql`now() - interval '1 second'` })
    .execute()
  t.match(await verify(service, late, { method: 'totp', code: codeOf(secret) }), OVER, 'too late')
})

void t.test('24. of many answers with one temporary token at the same time one signs in', async (t) => {
  const { userId, recoveryCodes, secret } = await withTotp(service, 'parallel')
  const token = await tempToken(service, 'parallel')
  await calm()
  const answers = await Promise.all([
    ...recoveryCodes.slice(0, 4).map((code) => verify(service, token, { method: 'recovery', code })),
    verify(service, token, { method: 'totp', code: codeOf(secret) }),
  ])
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.ok(answers.every(({ status }) => status === 200 || status === 401))
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()
  t.equal(sessions.length, 2, 'that of the enrolment, and one more')
})

void t.test('28. a sign-in takes five tries', async (t) => {
  const { secret, userId } = await withTotp(service, 'five')
  const token = await tempToken(service, 'five')
  await calm()
  const bad = wrong(codeOf(secret))
  for (const triesLeft of [4, 3, 2, 1, 0]) {
    t.match(await verify(service, token, { method: 'totp', code: bad }), { ...WRONG, body: { triesLeft } })
  }
  t.match(await verify(service, token, { method: 'totp', code: codeOf(secret) }), OVER, 'even the right one')
  t.match(await verify(service, await tempToken(service, 'five'), { method: 'totp', code: codeOf(secret) }), {
    status: 200,
  })
  const failed = (await actionsOf(service, userId)).filter((action) => action === 'auth.second_factor_failed')
  t.equal(failed.length, 5)
})

void t.test('28. tries at the same time are counted all the same', async (t) => {
  const { secret } = await withTotp(service, 'flood')
  const token = await tempToken(service, 'flood')
  await calm()
  const bad = wrong(codeOf(secret))
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => verify(service, token, { method: 'totp', code: bad })),
  )
  const looked = answers.filter(({ body }) => body.code === 'invalid_credentials')
  t.equal(looked.length, 5)
  t.equal(answers.filter(({ body }) => body.code === 'unauthenticated').length, 35)
})

void t.test('28. an account takes 20 wrong codes in 15 minutes, whatever the factor', async (t) => {
  const { secret, userId, recoveryCodes } = await withTotp(service, 'capped')
  const bad = wrong(codeOf(secret))
  const tokens = await Promise.all(Array.from({ length: 8 }, () => tempToken(service, 'capped')))
  const answers = await Promise.all(
    tokens.flatMap((token, i) =>
      Array.from({ length: 5 }, () =>
        verify(
          service,
          token,
          i % 2 ? { method: 'recovery', code: 'aaaa-bbbb' } : { method: 'totp', code: bad },
        ),
      ),
    ),
  )
  t.equal(answers.filter(({ status }) => status === 401).length, 20)
  const refused = answers.filter(({ status }) => status === 429)
  t.equal(refused.length, 20)
  for (const answer of refused) {
    const seconds = Number(answer.headers['retry-after'])
    t.ok(seconds > 890 && seconds <= 900, `${seconds} s`)
  }
  const fresh = await tempToken(service, 'capped')
  t.match(await verify(service, fresh, { method: 'totp', code: codeOf(secret) }), { status: 429 })
  t.match(await verify(service, fresh, { method: 'recovery', code: recoveryCodes[0] }), { status: 429 })
  // 15 minutes later.
  await db
    .updateTable('users')
    .set({ factor_failures_since: sql`factor_failures_since - interval '15 minutes'` })
    .where('id', '=', userId)
    .execute()
  await calm()
  t.match(await verify(service, fresh, { method: 'totp', code: codeOf(secret) }), { status: 200 })
})

void t.test('28. signing in does not wipe out what was counted, nor is it counted', async (t) => {
  const { secret, userId } = await withTotp(service, 'kept')
  const count = async () => (await db.selectFrom('users').selectAll().where('id', '=', userId).execute())[0]
  const token = await tempToken(service, 'kept')
  await calm()
  await verify(service, token, { method: 'totp', code: wrong(codeOf(secret)) })
  t.match(await verify(service, token, { method: 'totp', code: codeOf(secret) }), { status: 200 })
  t.match(await count(), { factor_failures: 1 })
})

void t.test('65. who guesses codes locks the owner out neither of sessions nor of passkeys', async (t) => {
  const userId = await addUser('owner')
  const client = await signIn('owner')
  const authenticator = new Authenticator(ORIGIN)
  await register(client, authenticator)
  const { secret } = await addTotp(client)
  await db
    .updateTable('users')
    .set({ factor_failures: 20, factor_failures_since: sql`now()` })
    .where('id', '=', userId)
    .execute()
  const token = await tempToken(service, 'owner')
  t.match(await verify(service, token, { method: 'totp', code: codeOf(secret) }), { status: 429 })
  t.match(await client.get('/api/auth/me'), { status: 200 })
  const { body: options } = await withToken(service, token, '/api/2fa/passkey/options')
  const credential = authenticator.get(options)
  t.match(await verify(service, token, { method: 'passkey', credential }), { status: 200 })
})

void t.test('a passkey is a second factor like the others', async (t) => {
  const userId = await addUser('key')
  const client = await signIn('key')
  const authenticator = new Authenticator(ORIGIN)
  t.match(await register(client, authenticator), { status: 201 })
  t.same((await client.get('/api/auth/me')).body.user.twoFactor, { enabled: true, methods: ['passkey'] })
  t.match(await client.get('/api/2fa'), { body: { passkeys: 1, recoveryCodesLeft: 10 } })
  t.match(await login(service, 'key'), { body: { requires2FA: true, methods: ['passkey'] } })
  const token = await tempToken(service, 'key')
  t.match(await verify(service, token, { method: 'totp', code: '123456' }), WRONG, 'a factor that is off')
  t.match(await verify(service, token, { method: 'email', code: '123456' }), WRONG)
  const { body: options } = await withToken(service, token, '/api/2fa/passkey/options')
  const credential = authenticator.get(options, { origin: 'https://evil.example' })
  t.match(await verify(service, token, { method: 'passkey', credential }), WRONG)
  const { body: again } = await withToken(service, token, '/api/2fa/passkey/options')
  const right = authenticator.get(again)
  t.match(await verify(service, token, { method: 'passkey', credential: right }), { status: 200 })
  t.ok((await actionsOf(service, userId)).includes('auth.second_factor_failed'))
})

void t.test('66. what is missing or of the wrong type is 400, and no try', async (t) => {
  const { secret } = await withTotp(service, 'types')
  const token = await tempToken(service, 'types')
  const bad: [payload: object, path: string][] = [
    [{ method: 'totp' }, '/code'],
    [{ method: 'recovery' }, '/code'],
    [{ method: 'passkey' }, '/credential'],
    [{ method: 'passkey', code: '123456' }, '/credential'],
    [{ code: '123456' }, '/method'],
    [{ method: 'sms', code: '123456' }, '/method'],
    [{ method: 'totp', code: 123456 }, '/code'],
    [{ method: 'totp', code: 'x'.repeat(65) }, '/code'],
    [{ method: 'totp', code: '' }, '/code'],
  ]
  for (let round = 0; round < 2; round++) {
    for (const [payload, path] of bad) {
      t.match(await verify(service, token, payload), { status: 400, body: { errors: [{ path }] } })
    }
  }
  await calm()
  t.match(await verify(service, token, { method: 'totp', code: codeOf(secret) }), { status: 200 })
})

void t.test('20. the second step begins a session of its own', async (t) => {
  const { secret, client, userId } = await withTotp(service, 'new')
  await calm()
  const token = await tempToken(service, 'new')
  const { body } = await verify(service, token, { method: 'totp', code: codeOf(secret) })
  const claims = app.tokens.verify(body.accessToken, 'access')
  t.equal(claims.userId, userId)
  t.not(claims.sessionId, app.tokens.verify(client.accessToken, 'access').sessionId)
  t.not(claims.sessionId, app.tokens.verify(token, 'temp').sessionId)
})

void t.test('19. who is disabled between the steps does not get in', async (t) => {
  const { secret, userId } = await withTotp(service, 'gone')
  const token = await tempToken(service, 'gone')
  t.match(await admin.put(`/api/users/${userId}`, { disabled: true }), { status: 200 })
  await calm()
  t.match(await verify(service, token, { method: 'totp', code: codeOf(secret) }), OVER)
})

void t.test('33. a changed password ends what waits for the second step, and keeps the factor', async (t) => {
  const { secret, client } = await withTotp(service, 'changed')
  const token = await tempToken(service, 'changed')
  const newPassword = 'a different battery staple'
  t.match(await client.put('/api/auth/me/password', { oldPassword: PASSWORD, newPassword }), { status: 204 })
  await calm()
  t.match(await verify(service, token, { method: 'totp', code: codeOf(secret) }), OVER)
  t.match(await login(service, 'changed', { password: newPassword }), { body: { requires2FA: true } })
})

void t.test('a wrong password says nothing about the second factor', async (t) => {
  await withTotp(service, 'quiet')
  const [known, unknown] = [
    await login(service, 'quiet', { password: 'not mine' }),
    await login(service, 'nobody at all', { password: 'not mine' }),
  ]
  t.match(known, { status: 401, body: { code: 'invalid_credentials' } })
  t.same({ ...known.body, requestId: '' }, { ...unknown.body, requestId: '' })
})

void t.test('79. neither codes nor tokens are in the audit trail', async (t) => {
  const { secret, recoveryCodes } = await withTotp(service, 'trail')
  const token = await tempToken(service, 'trail')
  await calm()
  const bad = wrong(codeOf(secret))
  await verify(service, token, { method: 'totp', code: bad })
  await verify(service, token, { method: 'recovery', code: recoveryCodes[0] })
  const { rows } = await sql<{ text: string }>`select audit::text as text from audit`.execute(db)
  const trail = rows.map(({ text }) => text).join('\n')
  for (const value of [secret, token, String(recoveryCodes[0])]) t.notOk(trail.includes(value))
  t.notMatch(trail, new RegExp(`"${bad}"`))
})
