import t from 'tap'
import { call, PASSWORD, startApp } from '../helpers/app.ts'
import { startMailbox } from '../helpers/mailbox.ts'

const mailbox = await startMailbox(t)
const { app, admin, addUser, signIn, database } = await startApp(t, { environment: mailbox.environment })
const { db } = database
const NEW = 'a different battery staple'

const post = (url: string, payload: object) => call(app, { method: 'POST', url, payload })
const forgot = (email: string) => post('/api/auth/password/forgot', { email })
const reset = (token: string, newPassword = NEW) => post('/api/auth/password/reset', { token, newPassword })
const login = (username: string, password: string) => post('/api/auth/login', { username, password })

async function person(username: string, verified = true) {
  const id = await addUser(username)
  const email = `${username}@example.com`
  await db.updateTable('users').set({ email, email_verified: verified }).where('id', '=', id).execute()
  return { id, email, username }
}

async function tokenFor(email: string): Promise<string> {
  t.equal((await forgot(email)).status, 202)
  const { text } = await mailbox.next(email)
  return /^http:\/\/localhost:3000\/reset-password\?token=([\w-]{43})$/m.exec(text)?.[1] ?? ''
}

void t.test('a link comes by mail, and sets a new password', async (t) => {
  const { email, username } = await person('reset-a')
  const session = await signIn(username)
  const token = await tokenFor(email)
  t.equal((await reset(token)).status, 204)
  t.equal((await session.get('/api/auth/me')).status, 401, 'all sessions ended')
  t.equal((await login(username, PASSWORD)).status, 401)
  t.equal((await login(username, NEW)).status, 200)
  t.match((await mailbox.next(email)).headers, { subject: 'Your password has changed' })
})

void t.test('the answer is no sign-in', async (t) => {
  const { email } = await person('reset-b')
  const answer = await reset(await tokenFor(email))
  t.equal(answer.body, '')
  t.equal(answer.headers['set-cookie'], undefined)
})

void t.test('9. the answer is the same for an unknown, an unconfirmed and a disabled account', async (t) => {
  await person('reset-c')
  await person('reset-unconfirmed', false)
  const { id } = await person('reset-disabled')
  await admin.put(`/api/users/${id}`, { disabled: true })
  const answers = []
  for (const name of ['reset-c', 'reset-nobody', 'reset-unconfirmed', 'reset-disabled']) {
    const { status, body } = await forgot(`${name}@example.com`)
    answers.push({ status, body })
  }
  t.match(answers[0], { status: 202 })
  for (const answer of answers) t.same(answer, answers[0])
  await mailbox.next('reset-c@example.com')
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.same(
    mailbox.received.filter(({ to }) => /reset-(nobody|unconfirmed|disabled)@/.test(to.join())),
    [],
  )
})

void t.test('a link counts once, of parallel uses one', async (t) => {
  const { email } = await person('reset-d')
  const token = await tokenFor(email)
  const answers = await Promise.all([1, 2, 3, 4].map((i) => reset(token, `${NEW} number ${i}`)))
  t.equal(answers.filter(({ status }) => status === 204).length, 1)
  t.equal(answers.filter(({ status }) => status === 400).length, 3)
  t.match(await reset(token), { status: 400, body: { errors: [{ path: '/token' }] } })
})

void t.test('a refused password does not cost the link', async (t) => {
  const { email } = await person('reset-e')
  const token = await tokenFor(email)
  t.match(await reset(token, 'iloveyou1'), { status: 400, body: { errors: [{ path: '/newPassword' }] } })
  t.match(await reset(token, 'x reset-e x'), { status: 400, body: { errors: [{ path: '/newPassword' }] } })
  t.equal((await reset(token)).status, 204)
})

void t.test('a link lives 30 minutes, is stored as a hash, and ends with a change of password', async (t) => {
  const { id, email, username } = await person('reset-f')
  const token = await tokenFor(email)
  const row = await db
    .selectFrom('mail_tokens')
    .selectAll()
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  t.equal(Math.round((row.expires_at.getTime() - row.created_at.getTime()) / 1000), 30 * 60)
  t.notMatch(JSON.stringify(row), token)
  const user = await signIn(username)
  await user.put('/api/auth/me/password', { oldPassword: PASSWORD, newPassword: 'yet another good one' })
  t.equal((await reset(token)).status, 400)

  const late = await person('reset-g')
  const second = await tokenFor(late.email)
  await db
    .updateTable('mail_tokens')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('user_id', '=', late.id)
    .execute()
  t.equal((await reset(second)).status, 400)
})

void t.test('a mailbox is not flooded', async (t) => {
  const { email } = await person('reset-h')
  const token = await tokenFor(email)
  for (let i = 0; i < 5; i++) await forgot(email)
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.equal(mailbox.received.filter(({ to }) => to.includes(email)).length, 1)
  t.equal((await reset(token)).status, 204, 'and the first link still counts')
})

void t.test('33. a reset never removes a second factor', async (t) => {
  const { id, email, username } = await person('reset-i')
  await db.updateTable('users').set({ email_codes_enabled: true }).where('id', '=', id).execute()
  t.equal((await reset(await tokenFor(email))).status, 204)
  t.match(await login(username, NEW), { status: 200, body: { requires2FA: true, methods: ['email'] } })
})

void t.test('79. neither the link nor the password is in the audit trail', async (t) => {
  const { id, email } = await person('reset-j')
  const token = await tokenFor(email)
  await reset(token)
  const { body } = await admin.get(`/api/audit?target=${id}`)
  t.match(
    body.entries.map(({ action }: { action: string }) => action),
    ['user.password_reset', 'auth.password_reset_requested'],
  )
  t.notMatch(JSON.stringify(body), token)
})

void t.test('without e-mail the answer is the same and says so', async (t) => {
  const { app } = await startApp(t)
  const url = '/api/auth/password/forgot'
  const answer = await call(app, { method: 'POST', url, payload: { email: 'a@example.com' } })
  t.match(answer, { status: 202, body: { message: /not configured/ } })
})

void t.test('69. what is no plain address is 400', async (t) => {
  for (const email of [
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com,b@example.com',
    '<a@example.com>',
    'a',
  ]) {
    t.equal((await forgot(email)).status, 400, email)
  }
})

void t.test('the link of the mail leads to a page, whose form sets the password', async (t) => {
  const { email, username } = await person('reset-page')
  const url = `/reset-password?token=${await tokenFor(email)}`
  const page = await call(app, { url })
  t.match(page, { status: 200, body: /<input name="newPassword" type="password"/ })
  t.match(page.headers['content-type'], /^text\/html/)
  t.match(page.headers['content-security-policy'], /default-src 'none'.*form-action 'self'/)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (newPassword: string) =>
    call(app, {
      method: 'POST',
      url,
      headers,
      payload: new URLSearchParams({ newPassword }).toString(),
    })
  t.match(await send('short'), { status: 400, body: /The password must.*<form/s })
  t.match(await send('password1'), { status: 400, body: /The password .*<form/s }, 'costs no link')
  t.match(await send(''), { status: 400, body: /The password is required/ })
  t.match(await send('grün & <lang> genug'), { status: 200, body: /password is set/ })
  t.equal((await login(username, 'grün & <lang> genug')).status, 200)
  t.match(await send(NEW), { status: 400, body: /This link is not valid/ }, 'once')
})
