import t from 'tap'
import { call, PASSWORD, startApp, type Answer } from '../helpers/app.ts'
import { refreshCookie } from '../helpers/cookies.ts'
import { startMailbox } from '../helpers/mailbox.ts'

const { app, admin, database } = await startApp(t)

const register = (body: object, to = app): Promise<Answer> =>
  call(to, { method: 'POST', url: '/api/auth/register', payload: { password: PASSWORD, ...body } })

async function invite(more: object = {}, by = admin): Promise<{ id: string; code: string; mailed: boolean }> {
  const answer = await by.post('/api/invitations', { role: 'member', ...more })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body as { id: string; code: string; mailed: boolean }
}

void t.test('an invitation makes an account and signs it in', async (t) => {
  const { id, code } = await invite({ role: 'admin' })
  const answer = await register({ inviteCode: code, username: 'Grace', email: 'Grace@Example.com' })
  t.match(answer, {
    status: 201,
    body: {
      accessToken: String,
      refreshToken: String,
      user: { username: 'grace', email: 'grace@example.com', role: 'admin' },
    },
  })
  t.equal(refreshCookie(answer)?.value, answer.body.refreshToken)
  const headers = { authorization: `Bearer ${answer.body.accessToken}` }
  t.match(await call(app, { method: 'GET', url: '/api/auth/me', headers }), {
    status: 200,
    body: { user: { username: 'grace', emailVerified: false } },
  })
  t.match((await admin.get(`/api/invitations/${id}`)).body, { uses: 1, status: 'used' })
})

void t.test('53. one answer for a code that is unknown, used, expired or revoked', async (t) => {
  const used = await invite()
  await register({ inviteCode: used.code, username: 'first' })
  const expired = await invite({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
  await database.db
    .updateTable('invitations')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', expired.id)
    .execute()
  const revoked = await invite()
  t.equal((await admin.delete(`/api/invitations/${revoked.id}`)).status, 204)
  const answers = []
  for (const inviteCode of ['nonsense', used.code, expired.code, revoked.code]) {
    const { status, body } = await register({ inviteCode, username: 'late' })
    answers.push({ status, ...body, requestId: '' })
  }
  t.match(answers[0], { status: 400, errors: [{ path: '/inviteCode' }] })
  for (const answer of answers) t.same(answer, answers[0])
  const states = await Promise.all(
    [used, expired, revoked].map(async ({ id }) => (await admin.get(`/api/invitations/${id}`)).body.status),
  )
  t.same(states, ['used', 'expired', 'revoked'])
  const { body } = await admin.get('/api/audit?action=auth.register_failed')
  t.equal(body.total, 4)
})

void t.test('53. of many at once no more register than there are uses', async (t) => {
  const { id, code } = await invite({ maxUses: 3 })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => register({ inviteCode: code, username: `crowd${i}` })),
  )
  t.equal(answers.filter(({ status }) => status === 201).length, 3)
  t.equal(answers.filter(({ status }) => status === 400).length, 7)
  t.match((await admin.get(`/api/invitations/${id}`)).body, { uses: 3, maxUses: 3 })
  t.equal((await admin.get('/api/users?search=crowd')).body.total, 3)
})

void t.test('53. a registration that fails uses nothing up', async (t) => {
  const { id, code } = await invite()
  t.match(await register({ inviteCode: code, username: 'root' }), {
    status: 409,
    body: { field: 'username' },
  })
  t.match(await register({ inviteCode: code, username: 'weak-one', password: 'letmein1' }), {
    status: 400,
    body: { errors: [{ path: '/password', message: /too common/ }] },
  })
  t.match((await admin.get(`/api/invitations/${id}`)).body, { uses: 0, status: 'active' })
  t.equal((await register({ inviteCode: code, username: 'strong-one' })).status, 201)
})

void t.test(
  '54. an invitation for an address: the account gets it, unverified as no mail went there',
  async (t) => {
    const { code, mailed } = await invite({ email: 'Invited@Example.com' })
    t.equal(mailed, false)
    t.match(await register({ inviteCode: code, username: 'invited', email: 'other@example.com' }), {
      status: 400,
      body: { errors: [{ path: '/email' }] },
    })
    const answer = await register({ inviteCode: code, username: 'invited' })
    t.match(answer.body.user, { email: 'invited@example.com' })
    t.match((await admin.get(`/api/users/${answer.body.user.id}`)).body, { emailVerified: false })
  },
)

void t.test('invitations: what can be asked for, and that codes are shown once', async (t) => {
  for (const wrong of [
    { role: 'owner' },
    { maxUses: 0 },
    { expiresAt: '2001-01-01T00:00:00.000Z' },
    { email: 'a@example.com', maxUses: 2 },
  ]) {
    t.equal(
      (await admin.post('/api/invitations', { role: 'member', ...wrong })).status,
      400,
      JSON.stringify(wrong),
    )
  }
  const { id, code } = await invite()
  t.ok(code.length >= 22)
  const list = await admin.get('/api/invitations?limit=1')
  t.match(list.body, { invitations: [{ id, createdBy: { username: 'root' }, status: 'active' }], limit: 1 })
  t.notMatch(JSON.stringify(list.body), code)
  const stored = await database.db.selectFrom('invitations').selectAll().where('id', '=', id).execute()
  t.notMatch(JSON.stringify(stored), code)
})

void t.test('REGISTRATION decides who may', async (t) => {
  t.match(await register({ username: 'nobody' }), {
    status: 400,
    body: { errors: [{ path: '/inviteCode' }] },
  })
  const closed = await startApp(t, { environment: { REGISTRATION: 'closed' } })
  const { code } = await invite({}, closed.admin)
  t.match(await register({ username: 'nobody', inviteCode: code }, closed.app), { status: 403 })
  const open = await startApp(t, { environment: { REGISTRATION: 'open' } })
  t.match(await register({ username: 'anybody' }, open.app), {
    status: 201,
    body: { user: { role: 'member' } },
  })
  t.match(await register({ username: 'other', inviteCode: 'nonsense' }, open.app), { status: 400 })
  t.match(await register({ username: 'mighty', role: 'admin' }, open.app), {
    status: 400,
    body: { errors: [{ path: '/role', code: 'unknown_member' }] },
  })
})

void t.test('with e-mail: invitations are mailed, and addresses are proved before they count', async (t) => {
  const mailbox = await startMailbox(t)
  const { app, admin } = await startApp(t, { environment: mailbox.environment })
  const view = async (id: string) => (await admin.get(`/api/users/${id}`)).body

  await t.test('54. the mailed invitation proves the address', async (t) => {
    const { mailed } = await invite({ email: 'hopper@example.com' }, admin)
    t.equal(mailed, true)
    const { text } = await mailbox.next('hopper@example.com')
    const inviteCode = /http:\/\/localhost:3000\/register\?code=([\w-]+)/.exec(text)?.[1]
    const { body } = await register({ inviteCode, username: 'hopper' }, app)
    t.match(await view(body.user.id), { email: 'hopper@example.com', emailVerified: true })
  })

  await t.test('54. any other address waits for its link', async (t) => {
    const { code } = await invite({}, admin)
    const { body } = await register({ inviteCode: code, username: 'lamarr', email: 'hedy@example.com' }, app)
    t.match(body.user, { email: null })
    const { text } = await mailbox.next('hedy@example.com')
    const token = /confirm-email\?token=([\w-]+)/.exec(text)?.[1]
    const url = '/api/auth/me/email/confirm'
    t.equal((await call(app, { method: 'POST', url, payload: { token } })).status, 204)
    t.match(await view(body.user.id), { email: 'hedy@example.com', emailVerified: true })
  })

  await t.test('an account without a password gets a link to choose one', async (t) => {
    const made = await admin.post('/api/users', {
      username: 'noether',
      email: 'emmy@example.com',
      role: 'member',
    })
    t.match(made, { status: 201, body: { hasPassword: false } })
    const { text } = await mailbox.next('emmy@example.com')
    const token = /reset-password\?token=([\w-]+)/.exec(text)?.[1]
    const url = '/api/auth/password/reset'
    t.equal((await call(app, { method: 'POST', url, payload: { token, newPassword: PASSWORD } })).status, 204)
    t.match(await view(made.body.id), { hasPassword: true, emailVerified: true })
  })

  await t.test('the link of an invitation leads to a page, whose form makes the account', async (t) => {
    await invite({ email: 'page@example.com' }, admin)
    const { text } = await mailbox.next('page@example.com')
    const url = /http:\/\/localhost:3000(\/register\?code=[\w-]+)/.exec(text)?.[1] ?? ''
    t.match(await call(app, { url }), { status: 200, body: /<input name="username"/ })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = (fields: Record<string, string>, to = url) =>
      call(app, { method: 'POST', url: to, headers, payload: new URLSearchParams(fields).toString() })
    const person = { username: 'Curie', password: PASSWORD, email: '' }
    t.match(await send({ ...person, username: '<b>' }), { status: 400, body: /The user name must/ })
    t.match(await send({ ...person, username: 'noether' }), { status: 409, body: /name is in use/ })
    t.match(await send(person, '/register?code=guess'), { status: 400, body: /invitation is not valid/ })
    const made = await send(person)
    t.match(made, { status: 200, body: /account was created/ })
    t.equal(made.headers['set-cookie'], undefined, 'signs nobody in')
    const { body } = await admin.get('/api/users?search=curie')
    t.match(body.users, [{ username: 'curie', email: 'page@example.com', emailVerified: true }])
  })

  await t.test('a lost phone: the user is told by mail', async () => {
    const { body } = await admin.get('/api/users?search=hopper')
    await admin.delete(`/api/users/${body.users[0].id}/two-factor`)
    await mailbox.next('hopper@example.com')
  })
})
