import t from 'tap'
import { call, startApp, type Answer, type Client } from '../helpers/app.ts'

const { app, addUser, signIn, database } = await startApp(t)
const { db } = database

let users = 0
async function client(): Promise<Client> {
  const username = `user${users++}`
  await addUser(username)
  return signIn(username)
}

void t.test('GET /me answers the own account and nothing secret', async (t) => {
  const one = await client()
  const { status, body } = await one.get('/api/auth/me')
  t.equal(status, 200)
  t.same(Object.keys(body), ['user'])
  t.match(body.user, {
    id: one.userId,
    username: /^user/,
    email: null,
    emailVerified: false,
    role: 'member',
    displayName: null,
    nickname: null,
    avatarUrl: null,
    notificationsEnabled: true,
    emailNotificationsEnabled: false,
    hasPassword: true,
    twoFactor: { enabled: false, methods: { length: 0 } },
    createdAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  })
  t.equal(Object.keys(body.user).length, 13)
})

void t.test('59. without a token it is 401', async (t) => {
  for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'ey.ey.x']) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    for (const [method, url] of [
      ['GET', '/api/auth/me'],
      ['PUT', '/api/auth/me/profile'],
      ['PUT', '/api/auth/me/password'],
      ['GET', '/api/auth/me/sessions'],
      ['DELETE', '/api/auth/me/sessions'],
    ] as const) {
      const answer = await call(app, { method, url, headers })
      t.match(answer, { status: 401, body: { code: 'unauthenticated' } }, `${method} ${url} ${authorization}`)
    }
  }
})

void t.test('the scheme is read in any case', async (t) => {
  const { accessToken } = await client()
  const headers = { authorization: `bearer ${accessToken}` }
  t.equal((await call(app, { url: '/api/auth/me', headers })).status, 200)
})

void t.test('changes what is given and leaves the rest', async (t) => {
  const one = await client()
  const all = {
    displayName: 'Ada Lovelace',
    nickname: 'ada',
    avatarUrl: 'https://example.com/ada.png',
    notificationsEnabled: false,
    emailNotificationsEnabled: true,
  }
  t.match(await one.put('/api/auth/me/profile', all), { status: 200, body: { user: all } })
  const { body } = await one.put('/api/auth/me/profile', { nickname: 'Countess 👑' })
  t.match(body.user, { ...all, nickname: 'Countess 👑' })
  t.same((await one.get('/api/auth/me')).body, { user: body.user })
})

void t.test('null empties', async (t) => {
  const one = await client()
  await one.put('/api/auth/me/profile', { displayName: 'Ada', avatarUrl: 'https://example.com/a.png' })
  const { body } = await one.put('/api/auth/me/profile', { displayName: null, avatarUrl: null })
  t.match(body.user, { displayName: null, avatarUrl: null })
})

void t.test('61. id, role and state are not for the user to set', async (t) => {
  const one = await client()
  const { status, body } = await one.put('/api/auth/me/profile', {
    nickname: 'x',
    id: '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10',
    role: 'admin',
    username: 'root2',
    email: 'x@example.com',
    emailVerified: true,
  })
  t.equal(status, 200)
  const other = await one.put('/api/auth/me/profile', { nickname: 'x', disabled: false })
  t.match(other, { status: 400, body: { errors: [{ path: '/disabled', code: 'unknown_member' }] } })
  t.match(body.user, { id: one.userId, role: 'member', username: /^user/, email: null, emailVerified: false })
})

void t.test('the whole account may be sent back', async (t) => {
  const one = await client()
  const { body } = await one.get('/api/auth/me')
  t.match(await one.put('/api/auth/me/profile', body.user), { status: 200, body })
})

void t.test('68. the avatar is an https address', async (t) => {
  const one = await client()
  for (const avatarUrl of [
    'http://example.com/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    '//example.com/a.png',
    'a.png',
    'https://',
    'https://a b/',
    ' https://example.com/a.png',
    `https://example.com/${'x'.repeat(500)}`,
    5,
    '',
  ]) {
    const answer = await one.put('/api/auth/me/profile', { avatarUrl })
    t.match(answer, { status: 400, body: { errors: [{ path: '/avatarUrl' }] } }, String(avatarUrl))
  }
})

void t.test('69. names without control characters, bounded, not blank', async (t) => {
  const one = await client()
  for (const field of ['displayName', 'nickname']) {
    for (const value of [
      '',
      '   ',
      'a\r\nBcc: x',
      'a\u0000',
      'a\u007f',
      'a\u0085b',
      'a\u2028b',
      'x'.repeat(101),
      5,
      ['a'],
    ]) {
      const answer = await one.put('/api/auth/me/profile', { [field]: value })
      t.match(answer, { status: 400, body: { errors: [{ path: `/${field}` }] } }, encodeURI(String(value)))
    }
  }
  t.match(await one.put('/api/auth/me/profile', { notificationsEnabled: 'true' }), { status: 400 })
  t.match(await one.put('/api/auth/me/profile', {}), { status: 400 })
})

void t.test('80. text that looks like markup or SQL is text', async (t) => {
  const one = await client()
  for (const displayName of [
    '<script>alert(1)</script>',
    "'; drop table users; --",
    '{{7*7}}',
    '${7}',
    '\\',
    '%s',
  ]) {
    t.match((await one.put('/api/auth/me/profile', { displayName })).body.user, { displayName })
  }
})

void t.test('78. the change is in the audit trail, before and after', async (t) => {
  const one = await client()
  await one.put('/api/auth/me/profile', { nickname: 'a' })
  await one.put('/api/auth/me/profile', { nickname: 'b', notificationsEnabled: true })
  const rows = await db
    .selectFrom('audit')
    .select(['actor_id', 'action', 'before', 'after'])
    .where('actor_id', '=', one.userId)
    .where('action', '=', 'user.profile_changed')
    .orderBy('id')
    .execute()
  t.same(
    rows.map(({ before, after }) => ({ before, after })),
    [
      { before: { nickname: null }, after: { nickname: 'a' } },
      { before: { nickname: 'a' }, after: { nickname: 'b' } },
    ],
  )
})

void t.test('e-mail that is wanted and can not come is warned about', async (t) => {
  const wanted = { emailNotificationsEnabled: true }
  const codesOf = ({ body }: Answer) => body.warnings.map(({ code }: { code: string }) => code)
  const one = await client()
  const without = await one.put('/api/auth/me/profile', wanted)
  t.match(without, { status: 200, body: { user: wanted, warnings: [{ message: /mail server/ }] } })
  t.same(codesOf(without), ['email_not_configured'])

  const environment = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'dns@example.com' }
  const withMail = await startApp(t, { environment, database })
  const { username } = (await one.get('/api/auth/me')).body.user
  const again = await withMail.signIn(username)
  const set = (columns: object) => db.updateTable('users').set(columns).where('id', '=', one.userId).execute()
  t.same(codesOf(await again.put('/api/auth/me/profile', wanted)), ['email_missing'])
  await set({ email: 'warned@example.com' })
  t.same(codesOf(await again.put('/api/auth/me/profile', { nickname: 'x' })), ['email_unverified'])
  await set({ email_verified: true })
  t.same(codesOf(await again.put('/api/auth/me/profile', wanted)), [])
  t.same(codesOf(await again.put('/api/auth/me/profile', { emailNotificationsEnabled: false })), [])
})
