import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import { insertSignInChallenge } from '../../../modules/auth/two-factor/challenge-queries.ts'
import { call, PASSWORD, startApp, type TestApp } from '../../helpers/app.ts'
import { codeIn, startMailbox } from '../../helpers/mailbox.ts'
import { until } from '../../helpers/until.ts'
import {
  actionsOf,
  addTotp,
  ageSessions,
  login,
  setEmail,
  tempToken,
  verify,
  withToken,
  wrong,
} from './steps.ts'

const mailbox = await startMailbox(t)
const service = await startApp(t, { environment: mailbox.environment })
const { app, database } = service
const { db } = database

const WRONG = { status: 401, body: { code: 'invalid_credentials' } }
const SEND = '/api/2fa/email/send'

async function withMailbox(username: string, on: TestApp = service) {
  const userId = await on.addUser(username)
  const email = `${username}@example.com`
  await setEmail(on, userId, email)
  return { userId, email, client: await on.signIn(username) }
}

/** A member whose codes come by e-mail. */
async function withEmailCodes(username: string) {
  const user = await withMailbox(username)
  await user.client.post(SEND)
  const code = codeIn(await mailbox.next(user.email))
  const { status, body } = await user.client.post('/api/2fa/email/enable', { code })
  if (status !== 200) throw new Error(JSON.stringify(body))
  await mailbox.next(user.email)
  return { ...user, recoveryCodes: body.recoveryCodes as string[] }
}

const send = (token: string) => withToken(service, token, SEND)

/** So that the next code may be sent now. */
const minuteLater = () =>
  db
    .updateTable('sign_in_challenges')
    .set({ email_code_sent_at: sql`email_code_sent_at - interval '61 seconds'` })
    .execute()

void t.test('30. turning on codes by e-mail needs a code that was read there', async (t) => {
  const { client, email, userId } = await withMailbox('ada')
  t.match(await client.post('/api/2fa/email/enable', { code: '123456' }), { status: 400 }, 'none was sent')
  t.match(await client.post(SEND), { status: 202, body: { sentTo: 'a***@example.com' } })
  const mail = await mailbox.next(email)
  t.equal(mail.from, 'zonekeeper@example.com')
  const code = codeIn(mail)
  t.match(code, /^\d{6}$/)
  t.match(mail.html, code)
  t.notMatch(mail.headers['subject'], code, 'a locked phone shows the subject')
  t.match(await client.post('/api/2fa/email/enable', { code: wrong(code) }), {
    status: 400,
    body: { errors: [{ path: '/code' }] },
  })
  const enabled = await client.post('/api/2fa/email/enable', { code })
  t.equal(enabled.status, 200)
  t.equal(enabled.body.recoveryCodes.length, 10)
  t.match((await mailbox.next(email)).headers['subject'], 'Codes by email were turned on for your account')
  t.same((await client.get('/api/auth/me')).body.user.twoFactor, { enabled: true, methods: ['email'] })
  t.match(await client.post(SEND), { status: 409 }, 'on already')
  t.ok((await actionsOf(service, userId)).includes('user.second_factor_enabled'))
  const { recoveryCodes } = await addTotp(client)
  t.same(recoveryCodes, [], 'with a further factor the codes stay')
  t.match(await client.get('/api/2fa'), { body: { methods: ['totp', 'email'], recoveryCodesLeft: 10 } })
})

void t.test('27. a code signs in, once', async (t) => {
  const { email, userId } = await withEmailCodes('mails')
  const first = await login(service, 'mails')
  t.match(first, { body: { requires2FA: true, methods: ['email'] } })
  const { tempToken: token } = first.body
  t.match(await verify(service, token, { method: 'email', code: '123456' }), WRONG, 'before one was sent')
  t.match(await send(token), { status: 202, body: { sentTo: 'm***@example.com' } })
  const code = codeIn(await mailbox.next(email))
  t.match(await verify(service, token, { method: 'email', code: wrong(code) }), WRONG)
  const answer = await verify(service, token, {
    method: 'email',
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  })
  t.match(answer, { status: 200, body: { accessToken: String, refreshToken: String, user: { id: userId } } })
  t.match(await verify(service, token, { method: 'email', code }), { status: 401 })
  t.match(await send(token), { status: 401, body: { code: 'unauthenticated' } }, 'that sign-in is over')
})

void t.test('27. a code is bound to its sign-in and its user', async (t) => {
  const { email } = await withEmailCodes('bound')
  const other = await withEmailCodes('other')
  const [mine, again] = [await tempToken(service, 'bound'), await tempToken(service, 'bound')]
  const theirs = await tempToken(service, 'other')
  await send(mine)
  const code = codeIn(await mailbox.next(email))
  await send(again)
  await mailbox.next(email)
  await send(theirs)
  await mailbox.next(other.email)
  t.match(await verify(service, again, { method: 'email', code }), WRONG)
  t.match(await verify(service, theirs, { method: 'email', code }), WRONG)
  t.match(await verify(service, mine, { method: 'email', code }), { status: 200 })
})

void t.test('27. a code lives 10 minutes, and the newest alone counts', async (t) => {
  const { email } = await withEmailCodes('late')
  const token = await tempToken(service, 'late')
  await send(token)
  const first = codeIn(await mailbox.next(email))
  t.match(await send(token), {
    status: 429,
    body: { code: 'rate_limited' },
    headers: { 'retry-after': '60' },
  })
  await minuteLater()
  t.match(await send(token), { status: 202 })
  const second = codeIn(await mailbox.next(email))
  if (first !== second)
    t.match(await verify(service, token, { method: 'email', code: first }), WRONG, 'the old')
  await db
    .updateTable('sign_in_challenges')
    .set({ email_code_sent_at: sql`now() - interval '601 seconds'` })
    .execute()
  t.match(await verify(service, token, { method: 'email', code: second }), WRONG, 'too old')
  await db
    .updateTable('sign_in_challenges')
    .set({ email_code_sent_at: sql`now()` })
    .execute()
  t.match(await verify(service, token, { method: 'email', code: second }), { status: 200 })
})

void t.test('27. of many requests at the same time one sends', async (t) => {
  const { email, client } = await withMailbox('burst')
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.post(SEND)))
  t.equal(answers.filter(({ status }) => status === 202).length, 1)
  t.equal(answers.filter(({ status }) => status === 429).length, 7)
  const code = codeIn(await mailbox.next(email))
  t.match(await client.post('/api/2fa/email/enable', { code }), { status: 200 })
  await mailbox.next(email)
  const token = await tempToken(service, 'burst')
  const sent = await Promise.all(Array.from({ length: 8 }, () => send(token)))
  t.equal(sent.filter(({ status }) => status === 202).length, 1)
  await mailbox.next(email)
  t.equal(mailbox.received.filter(({ to }) => to.includes(email)).length, 3)
})

void t.test('a request that waited for another, which sent meanwhile, does not send', async (t) => {
  const { email } = await withEmailCodes('waited')
  const token = await tempToken(service, 'waited')
  const waited = await db.transaction().execute(async (trx) => {
    const mine = sql`update sign_in_challenges set email_code_sent_at = clock_timestamp()
      where user_id = (select id from users where username = 'waited')`
    await mine.execute(trx)
    const answer = send(token)
    const waits = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ~* 'sign_in_challenges'`
    await until('the request waits', async () => (await waits.execute(db)).rows.length > 0)
    await mine.execute(trx)
    return { answer }
  })
  t.match(await waited.answer, { status: 429 })
  t.equal(mailbox.received.filter(({ to }) => to.includes(email)).length, 2)
})

void t.test('27. who has the database does not have the code', async (t) => {
  const { email } = await withEmailCodes('dump')
  const token = await tempToken(service, 'dump')
  await send(token)
  const code = codeIn(await mailbox.next(email))
  const { challengeId } = { challengeId: app.tokens.verify(token, 'temp').sessionId }
  const row = await db
    .selectFrom('sign_in_challenges')
    .selectAll()
    .where('id', '=', challengeId)
    .executeTakeFirstOrThrow()
  const stored = row.email_code_hash?.toString('hex')
  t.match(stored, /^[0-9a-f]{64}$/)
  for (const guess of [
    code,
    `${challengeId}${code}`,
    `${challengeId}\0${code}`,
    `sign-in\0${challengeId}\0${code}`,
  ]) {
    t.not(createHash('sha256').update(guess).digest('hex'), stored)
  }
})

void t.test('28. a code to turn them on takes five tries, also at the same time', async (t) => {
  const { client, email } = await withMailbox('tries')
  await client.post(SEND)
  const code = codeIn(await mailbox.next(email))
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => client.post('/api/2fa/email/enable', { code: wrong(code) })),
  )
  t.ok(answers.every(({ status }) => status === 400))
  t.match(
    await client.post('/api/2fa/email/enable', { code }),
    { status: 400 },
    'the right one comes too late',
  )
  t.match(await client.get('/api/2fa'), { body: { enabled: false } })
})

void t.test('a code to turn them on is bound to the address', async (t) => {
  const { client, email, userId } = await withMailbox('moved')
  await client.post(SEND)
  const code = codeIn(await mailbox.next(email))
  await setEmail(service, userId, 'elsewhere@example.com')
  t.match(await client.post('/api/2fa/email/enable', { code }), { status: 409 })
  t.match(await client.get('/api/2fa'), { body: { enabled: false } })
})

void t.test('30. adding and removing needs the password or a fresh sign-in', async (t) => {
  const { client, email, userId } = await withMailbox('fresh')
  await client.post(SEND)
  const code = codeIn(await mailbox.next(email))
  await ageSessions(service, userId)
  const stale = { status: 403, body: { code: 'reauthentication_required' } }
  t.match(await client.post('/api/2fa/email/enable', { code }), stale)
  t.match(await client.post('/api/2fa/email/enable', { code, password: PASSWORD }), { status: 200 })
  t.match(await client.delete('/api/2fa/email'), stale)
  t.match(await client.delete('/api/2fa/email', { payload: { password: PASSWORD } }), { status: 204 })
  t.match(await client.delete('/api/2fa/email', { payload: { password: PASSWORD } }), { status: 409 })
  const subjects = [await mailbox.next(email), await mailbox.next(email)].map(
    ({ headers }) => headers['subject'],
  )
  t.same(subjects, [
    'Codes by email were turned on for your account',
    'Codes by email were turned off for your account',
  ])
})

void t.test('an address that is not confirmed gets no code', async (t) => {
  const { client, userId } = await withMailbox('unconfirmed')
  await setEmail(service, userId, 'unconfirmed@example.com', false)
  t.match(await client.post(SEND), { status: 409, body: { detail: /no confirmed email address/ } })
  await addTotp(client)
  t.equal(mailbox.received.filter(({ to }) => to.includes('unconfirmed@example.com')).length, 0)
})

void t.test('an account without codes by e-mail gets none at sign-in', async (t) => {
  const { client } = await withMailbox('app')
  await addTotp(client)
  t.match(await send(await tempToken(service, 'app')), { status: 409 })
})

void t.test('a factor that can not be used closes the door', async (t) => {
  const { userId, recoveryCodes } = await withEmailCodes('closed')
  await setEmail(service, userId, 'closed@example.com', false)
  const { body } = await login(service, 'closed')
  t.match(body, { requires2FA: true, methods: ['email'] })
  t.match(await send(body.tempToken), { status: 409 })
  const answer = await verify(service, body.tempToken, { method: 'recovery', code: recoveryCodes[0] })
  t.match(answer, { status: 200 })
})

void t.test('33. resetting the password by mail keeps the second factor', async (t) => {
  const { email } = await withEmailCodes('reset')
  const pending = await tempToken(service, 'reset')
  await send(pending)
  const code = codeIn(await mailbox.next(email))
  await call(app, { method: 'POST', url: '/api/auth/password/forgot', payload: { email } })
  const token = /token=([\w-]+)/.exec((await mailbox.next(email)).text)?.[1]
  const newPassword = 'a different battery staple'
  const reset = await call(app, {
    method: 'POST',
    url: '/api/auth/password/reset',
    payload: { token, newPassword },
  })
  t.match(reset.status, /^20/)
  t.match(
    await verify(service, pending, { method: 'email', code }),
    { status: 401 },
    'begun with the old password',
  )
  t.match(await login(service, 'reset', { password: newPassword }), {
    body: { requires2FA: true, methods: ['email'] },
  })
})

void t.test('without a mail server the answer says so', async (t) => {
  const silent = await startApp(t)
  const { client, userId } = await withMailbox('nomail', silent)
  const missing = { status: 503, body: { code: 'unavailable', detail: /SMTP_URL/ } }
  t.match(await client.post(SEND), missing)
  await silent.database.db
    .updateTable('users')
    .set({ email_codes_enabled: true })
    .where('id', '=', userId)
    .execute()
  t.match(await withToken(silent, await tempToken(silent, 'nomail'), SEND), missing)
})

void t.test('64. an account gets a bounded number of codes, however many sign-ins are begun', async (t) => {
  const limited = await startApp(t, { environment: { ...mailbox.environment, RATE_LIMIT: '100000' } })
  const { userId } = await withMailbox('bounded', limited)
  await limited.database.db
    .updateTable('users')
    .set({ email_codes_enabled: true })
    .where('id', '=', userId)
    .execute()
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) {
    const challengeId = crypto.randomUUID()
    await insertSignInChallenge(
      limited.database.db,
      { id: challengeId, user_id: userId, remember: false },
      60,
    )
    const answer = await call(limited.app, {
      method: 'POST',
      url: SEND,
      remoteAddress: `10.77.0.${i + 1}`,
      headers: { authorization: `Bearer ${limited.app.tokens.sign('temp', userId, challengeId)}` },
    })
    statuses.push(answer.status)
    if (answer.status === 429) t.ok(Number(answer.headers['retry-after']) > 0)
  }
  t.same(statuses, [...Array.from({ length: 10 }, () => 202), 429, 429])
})
