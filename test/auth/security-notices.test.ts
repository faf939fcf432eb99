import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { call, PASSWORD, startApp, type Client } from '../helpers/app.ts'
import { startMailbox } from '../helpers/mailbox.ts'
import { until } from '../helpers/until.ts'
import { hear } from '../helpers/events.ts'

const mailbox = await startMailbox(t)
const { app, admin, addUser, database } = await startApp(t, {
  environment: { ...mailbox.environment, RATE_LIMIT: '10000' },
})

const heard = hear(app, 'account.new_sign_in', 'account.password_changed', 'account.locked')
const told: Awaited<ReturnType<typeof heard>> = []
async function toldTo(userId: string) {
  told.push(...(await heard()))
  return told.filter(({ payload }) => payload.userIds?.includes(userId)).map(({ name }) => name)
}

let users = 0
/** A user with a verified address. */
async function addHolder() {
  const username = `holder${users++}`
  const email = `${username}@example.com`
  const id = await addUser(username)
  const { db } = database
  await db.updateTable('users').set({ email, email_verified: true }).where('id', '=', id).execute()
  return { id, username, email }
}

let addresses = 0
const fresh = () => `192.0.2.${++addresses}`

const logIn = (username: string, { ip = fresh(), userAgent = 'Firefox', password = PASSWORD } = {}) =>
  call(app, {
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: ip,
    headers: { 'user-agent': userAgent },
    payload: { username, password },
  })

const as = (accessToken: string): Pick<Client, 'put' | 'delete'> => {
  const send = (method: string, url: string, payload?: unknown) =>
    call(app, {
      method,
      url,
      headers: { authorization: `Bearer ${accessToken}` },
      ...(payload !== undefined && { payload: payload as object }),
    })
  return { put: (url, body) => send('PUT', url, body), delete: (url) => send('DELETE', url) }
}

void t.test('a sign-in from a new place is told to who is signed in elsewhere', async (t) => {
  const { id, username, email } = await addHolder()
  const [home, office] = [fresh(), fresh()]
  await logIn(username, { ip: home })
  t.same(await toldTo(id), [], 'the first surprises nobody')
  await logIn(username, { ip: home })
  t.same(await toldTo(id), [], 'the same place')
  await logIn(username, { ip: office, userAgent: 'x'.repeat(500) })
  t.same(await toldTo(id), ['account.new_sign_in'], 'another address')
  t.match(told.at(-1)?.payload, {
    actorId: null,
    metadata: { ip: office, userAgent: 'x'.repeat(300) },
  })
  await logIn(username, { ip: office, userAgent: 'x'.repeat(500) })
  t.equal((await toldTo(id)).length, 1, 'that one is known now')
  await logIn(username, { ip: home, userAgent: 'Chromium' })
  t.equal((await toldTo(id)).length, 2, 'another program')

  const mail = await mailbox.next(email)
  t.equal(mail.headers['subject'], 'New sign-in to your account')
  t.ok(mail.text.includes(office) && mail.text.includes(username))
})

void t.test('it is a message in the list, unread', async (t) => {
  const { username } = await addHolder()
  await logIn(username)
  const { body } = await logIn(username)
  const list = await until('a message', async () => {
    const answer = await call(app, {
      url: '/api/notifications',
      headers: { authorization: `Bearer ${body.accessToken}` },
    })
    return answer.body.notifications.length > 0 && answer.body
  })
  t.match(list, { notifications: [{ event: 'account.new_sign_in', read: false }], unreadCount: 1 })
})

void t.test('after all other sessions ended nothing is new', async (t) => {
  const { id, username } = await addHolder()
  const { body } = await logIn(username)
  await call(app, {
    method: 'POST',
    url: '/api/auth/logout',
    headers: { authorization: `Bearer ${body.accessToken}` },
  })
  await logIn(username)
  t.same(await toldTo(id), [])
})

void t.test('a failed sign-in is none', async (t) => {
  const { id, username } = await addHolder()
  await logIn(username)
  t.equal((await logIn(username, { password: 'another wrong password' })).status, 401)
  t.same(await toldTo(id), [])
})

void t.test('a new password is told: one that the user chose', async (t) => {
  const { id, username, email } = await addHolder()
  const { body } = await logIn(username)
  const wrong = { oldPassword: 'not this one at all', newPassword: 'a quite different secret' }
  t.equal((await as(body.accessToken).put('/api/auth/me/password', wrong)).status, 400)
  t.same(await toldTo(id), [])
  const right = { ...wrong, oldPassword: PASSWORD }
  t.equal((await as(body.accessToken).put('/api/auth/me/password', right)).status, 204)
  t.same(await toldTo(id), ['account.password_changed'])
  t.match(told.at(-1)?.payload, { actorId: null, metadata: { ip: '127.0.0.1' } })
  const mail = await mailbox.next(email)
  t.equal(mail.headers['subject'], 'Your password has changed')
  t.notMatch(mail.raw, /quite different/)
})

void t.test('a new password is told: one that an administrator set', async (t) => {
  const { id } = await addHolder()
  t.equal((await admin.put(`/api/users/${id}`, { displayName: 'Same password' })).status, 200)
  t.same(await toldTo(id), [])
  const { status } = await admin.put(`/api/users/${id}`, { password: 'a quite different secret' })
  t.equal(status, 200)
  t.same(await toldTo(id), ['account.password_changed'])
  t.match(told.at(-1)?.payload, { actorId: null, metadata: { ip: null } })
})

void t.test('a new password is told: one by a link', async (t) => {
  const { id, email } = await addHolder()
  await call(app, { method: 'POST', url: '/api/auth/password/forgot', payload: { email } })
  const token = /token=([\w-]+)/.exec((await mailbox.next(email)).text)?.[1]
  const payload = { token, newPassword: 'a quite different secret' }
  const { status } = await call(app, { method: 'POST', url: '/api/auth/password/reset', payload })
  t.equal(status, 204)
  t.same(await toldTo(id), ['account.password_changed'])
})

void t.test('an address that is not verified gets no mail', async (t) => {
  const { id, username, email } = await addHolder()
  await database.db.updateTable('users').set({ email_verified: false }).where('id', '=', id).execute()
  await logIn(username)
  await logIn(username)
  t.same(await toldTo(id), ['account.new_sign_in'])
  await sleep(100)
  t.same(
    mailbox.received.filter(({ to }) => to.includes(email)),
    [],
  )
})

void t.test('that further tries must wait is told once', async (t) => {
  const { id, username } = await addHolder()
  const guess = () => logIn(username.toUpperCase(), { password: 'a wrong guess' })
  for (let i = 0; i < 10; i++) t.equal((await guess()).status, 401)
  t.same(await toldTo(id), [])
  for (let i = 0; i < 5; i++) t.equal((await guess()).status, 429)
  await until('the lock to be told', async () => (await toldTo(id)).length > 0)
  t.same(await toldTo(id), ['account.locked'])

  const nobody = () => logIn('nobody-at-all', { password: 'a wrong guess' })
  for (let i = 0; i < 12; i++) await nobody()
  t.equal((await nobody()).status, 429, 'the same for a name that is nobody’s')
})
