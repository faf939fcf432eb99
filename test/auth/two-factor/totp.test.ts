import { generateSync } from 'otplib'
import { sql } from 'kysely'
import t from 'tap'
import { PASSWORD, startApp } from '../../helpers/app.ts'
import { refreshCookie } from '../../helpers/cookies.ts'
import { stepOf } from '../../../modules/auth/two-factor/totp.ts'
import {
  actionsOf,
  addTotp,
  ageSessions,
  calm,
  codeOf,
  login,
  tempToken,
  verify,
  withTotp,
  wrong,
} from './steps.ts'
import { hear } from '../../helpers/events.ts'

const service = await startApp(t)
const { app, database, addUser, signIn } = service

const WRONG = { status: 401, body: { code: 'invalid_credentials' } }

void t.test('codes are those of RFC 6238, appendix B', async (t) => {
  // "12345678901234567890" in base32; the vectors have eight digits, of which the last six are ours.
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const vectors: [epoch: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [epoch, code] of vectors) {
    t.equal(generateSync({ secret: seed, epoch, digits: 8 }), code)
    t.equal(stepOf(seed, code.slice(2), epoch), Math.floor(epoch / 30))
  }
})

void t.test('26. a clock may be off by one step and no more', async (t) => {
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const epoch = 1_700_000_010
  for (let offset = -95; offset <= 125; offset++) {
    const code = generateSync({ secret: seed, epoch: epoch + offset })
    const steps = Math.floor((epoch + offset) / 30) - epoch / 30
    t.equal(stepOf(seed, code, epoch) !== null, Math.abs(steps) <= 1, `${offset} s`)
  }
  const { secret } = await withTotp(service, 'clock')
  for (const offset of [-90, -60, 60, 90]) {
    await calm()
    const token = await tempToken(service, 'clock')
    t.match(
      await verify(service, token, { method: 'totp', code: codeOf(secret, offset) }),
      WRONG,
      `${offset} s`,
    )
  }
  for (const offset of [0, 30]) {
    await calm()
    const token = await tempToken(service, 'clock')
    const answer = await verify(service, token, { method: 'totp', code: codeOf(secret, offset) })
    t.match(answer, { status: 200 }, `${offset} s`)
  }
})

void t.test('what is no code is wrong, and no fault', async (t) => {
  for (const code of ['', 'abcdef', '12345', '1234567', '１２３４５６', '-12345', '12345.', '0x1234']) {
    t.equal(stepOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', code), null, code)
  }
  const { secret } = await withTotp(service, 'typing')
  const token = await tempToken(service, 'typing')
  t.match(await verify(service, token, { method: 'totp', code: 'nonsense' }), WRONG)
  const code = codeOf(secret)
  t.match(await verify(service, token, { method: 'totp', code: ` ${code.slice(0, 3)} ${code.slice(3)}` }), {
    status: 200,
  })
})

void t.test('from the setup to the sign-in, to the letter', async (t) => {
  const userId = await addUser('ada')
  const client = await signIn('ada')
  t.match(await client.get('/api/2fa'), {
    status: 200,
    body: { enabled: false, methods: { length: 0 }, passkeys: 0, recoveryCodesLeft: 0 },
  })
  const { status, body: setup } = await client.post('/api/2fa/totp/setup')
  t.equal(status, 200)
  t.same(Object.keys(setup).sort(), ['otpauthUrl', 'qrCode', 'secret'])
  t.match(setup.secret, /^[A-Z2-7]{32}$/)
  const url = new URL(setup.otpauthUrl)
  t.equal(url.protocol, 'otpauth:')
  t.equal(decodeURIComponent(url.pathname), '/Zonekeeper:ada')
  t.match(Object.fromEntries(url.searchParams), { secret: setup.secret, issuer: 'Zonekeeper' })
  const svg = Buffer.from(setup.qrCode.replace('data:image/svg+xml;base64,', ''), 'base64').toString()
  t.match(svg, /^<svg .*<\/svg>$/s)

  t.match(await login(service, 'ada'), { body: { accessToken: String } }, 'an unproven seed asks for nothing')
  await calm()
  const enabled = await client.post('/api/2fa/totp/enable', { code: codeOf(setup.secret, -30) })
  t.equal(enabled.status, 200)
  t.same(Object.keys(enabled.body), ['recoveryCodes'])
  t.equal(new Set(enabled.body.recoveryCodes).size, 10)
  const me = await client.get('/api/auth/me')
  t.same(me.body.user.twoFactor, { enabled: true, methods: ['totp'] })
  t.same((await client.get('/api/2fa')).body, {
    enabled: true,
    required: false,
    methods: ['totp'],
    passkeys: 0,
    recoveryCodesLeft: 10,
  })

  const first = await login(service, 'ada', { rememberMe: true })
  t.equal(first.status, 200)
  t.same(Object.keys(first.body).sort(), ['methods', 'outcome', 'requires2FA', 'tempToken'])
  t.match(first.body, { outcome: 'second_factor', requires2FA: true, methods: ['totp'] })
  t.equal(refreshCookie(first), undefined, 'no cookie before the second factor')
  const second = await verify(service, first.body.tempToken, { method: 'totp', code: codeOf(setup.secret) })
  t.equal(second.status, 200)
  t.same(Object.keys(second.body).sort(), ['accessToken', 'expiresIn', 'refreshToken', 'user'])
  t.same(second.body.user, { id: userId, username: 'ada', email: null, role: 'member' })
  t.match(refreshCookie(second), {
    value: second.body.refreshToken,
    attributes: { httponly: true, samesite: 'Strict', path: '/api/auth', 'max-age': '2592000' },
  })
  t.same((await actionsOf(service, userId)).slice(-3), [
    'user.second_factor_enabled',
    'auth.second_factor_required',
    'auth.login',
  ])
})

void t.test('25. a TOTP step counts once', async (t) => {
  const userId = await addUser('once')
  const client = await signIn('once')
  await calm()
  const { body: setup } = await client.post('/api/2fa/totp/setup')
  const [before, now, after] = [-30, 0, 30].map((offset) => codeOf(setup.secret, offset)) as [
    string,
    string,
    string,
  ]
  t.match(await client.post('/api/2fa/totp/enable', { code: before }), { status: 200 })
  const token = await tempToken(service, 'once')
  t.match(await verify(service, token, { method: 'totp', code: before }), WRONG, 'the code of the enrolment')
  t.match(await verify(service, token, { method: 'totp', code: now }), { status: 200 })
  t.match(
    await verify(service, await tempToken(service, 'once'), { method: 'totp', code: now }),
    WRONG,
    'again',
  )
  t.match(await verify(service, await tempToken(service, 'once'), { method: 'totp', code: after }), {
    status: 200,
  })
  const late = await tempToken(service, 'once')
  t.match(await verify(service, late, { method: 'totp', code: now }), WRONG, 'one before the last')
  t.ok((await actionsOf(service, userId)).includes('auth.second_factor_failed'))
})

void t.test('25. of many sign-ins with one code at the same time one gets in', async (t) => {
  const { secret } = await withTotp(service, 'many')
  const tokens = await Promise.all(Array.from({ length: 10 }, () => tempToken(service, 'many')))
  await calm()
  const code = codeOf(secret)
  const answers = await Promise.all(tokens.map((token) => verify(service, token, { method: 'totp', code })))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.equal(answers.filter(({ status }) => status === 401).length, 9)
})

void t.test('30. enabling needs proof', async (t) => {
  const userId = await addUser('proof')
  const client = await signIn('proof')
  t.match(await client.post('/api/2fa/totp/enable', { code: '123456' }), { status: 409 }, 'without a setup')
  const { body: first } = await client.post('/api/2fa/totp/setup')
  const { body: second } = await client.post('/api/2fa/totp/setup')
  t.not(first.secret, second.secret)
  for (const code of [wrong(codeOf(second.secret)), codeOf(first.secret), 'nonsense']) {
    t.match(await client.post('/api/2fa/totp/enable', { code }), {
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/code' }] },
    })
  }
  t.match(await client.get('/api/2fa'), { body: { enabled: false } })
  t.notOk((await actionsOf(service, userId)).some((action) => action.startsWith('user.second_factor')))
  await calm()
  t.match(await client.post('/api/2fa/totp/enable', { code: codeOf(second.secret) }), { status: 200 })
  t.match(await client.post('/api/2fa/totp/setup'), { status: 409 })
  t.match(await client.post('/api/2fa/totp/enable', { code: codeOf(second.secret, 30) }), { status: 409 })
})

void t.test('30. adding and removing needs the password or a fresh sign-in', async (t) => {
  const userId = await addUser('fresh')
  const client = await signIn('fresh')
  await ageSessions(service, userId)
  const { body: setup } = await client.post('/api/2fa/totp/setup')
  await calm()
  const code = codeOf(setup.secret)
  const stale = { status: 403, body: { code: 'reauthentication_required' } }
  t.match(await client.post('/api/2fa/totp/enable', { code }), stale)
  const refused = { status: 400, body: { errors: [{ path: '/password' }] } }
  t.match(await client.post('/api/2fa/totp/enable', { code, password: 'not mine' }), refused)
  t.match(await client.post('/api/2fa/totp/enable', { code, password: PASSWORD }), { status: 200 })

  t.match(await client.delete('/api/2fa/totp'), stale)
  t.match(await client.post('/api/2fa/recovery-codes'), stale)
  t.match(await client.delete('/api/2fa/totp', { payload: { password: 'not mine' } }), refused)
  t.match(await client.delete('/api/2fa/totp', { payload: { password: PASSWORD } }), {
    status: 204,
    body: '',
  })
  t.match(await client.get('/api/2fa'), {
    body: { enabled: false, methods: { length: 0 }, recoveryCodesLeft: 0 },
  })
  t.match(await client.delete('/api/2fa/totp', { payload: { password: PASSWORD } }), { status: 409 })
  t.match(await login(service, 'fresh'), { status: 200, body: { accessToken: String } })
  t.same(
    (await actionsOf(service, userId)).filter((action) => action.startsWith('user.')),
    ['user.second_factor_enabled', 'user.second_factor_disabled'],
  )
})

void t.test('30. a refused password given with a fresh sign-in is refused all the same', async (t) => {
  await addUser('given')
  const client = await signIn('given')
  await addTotp(client)
  t.match(await client.delete('/api/2fa/totp', { payload: { password: 'not mine' } }), { status: 400 })
  t.match(await client.get('/api/2fa'), { body: { enabled: true } })
})

void t.test('34. seeds are sealed, and never shown after enrolment', async (t) => {
  const { client, userId, secret, recoveryCodes } = await withTotp(service, 'sealed')
  for (const url of ['/api/2fa', '/api/auth/me', '/api/auth/me/sessions']) {
    const { body } = await client.get(url)
    t.notMatch(JSON.stringify(body), secret)
  }
  const { rows } = await sql<{ text: string }>`
    select users::text as text from users
    union all select audit::text from audit union all select idempotency_keys::text from idempotency_keys
    union all select recovery_codes::text from recovery_codes
  `.execute(database.db)
  const dump = rows.map(({ text }) => text).join('\n')
  t.notMatch(dump, secret)
  t.notMatch(dump, Buffer.from(secret).toString('hex'))
  for (const code of recoveryCodes) {
    t.notOk(dump.includes(code))
    t.notOk(dump.includes(Buffer.from(code).toString('hex')))
  }
  const row = await database.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  t.throws(() => app.secrets.open(row?.totp_secret as Buffer, 'users/another/totp'), 'it opens nowhere else')
})

void t.test('34. an Idempotency-Key keeps no secret', async (t) => {
  await addUser('keyed')
  const client = await signIn('keyed')
  const headers = { 'idempotency-key': 'setup-1' }
  const first = await client.post('/api/2fa/totp/setup', undefined, { headers })
  const second = await client.post('/api/2fa/totp/setup', undefined, { headers })
  t.not(first.body.secret, second.body.secret)
  const { rows } = await sql`select from idempotency_keys`.execute(database.db)
  t.equal(rows.length, 0)
})

void t.test('what changes a factor is told as an event', async (t) => {
  const told = hear(app, 'account.second_factor_changed')
  const { client, userId } = await withTotp(service, 'told')
  await client.post('/api/2fa/recovery-codes')
  await client.delete('/api/2fa/totp')
  const event = { actorId: null, userIds: [userId] }
  t.same(
    (await told()).map(({ payload }) => payload),
    [
      { ...event, metadata: { username: 'told', change: 'totp_enabled' } },
      { ...event, metadata: { username: 'told', change: 'recovery_codes_renewed' } },
      { ...event, metadata: { username: 'told', change: 'totp_disabled' } },
    ],
  )
})
