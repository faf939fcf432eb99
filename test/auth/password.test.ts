import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import t from 'tap'
import { call, PASSWORD, startApp, type Client } from '../helpers/app.ts'

const NEW = 'a different battery staple'
const { app, addUser, signIn, database } = await startApp(t)
const { db } = database

let users = 0
async function client(username = `person${users++}`): Promise<Client & { username: string }> {
  await addUser(username)
  return { ...(await signIn(username)), username }
}

const change = (who: Client, newPassword: unknown, oldPassword: unknown = PASSWORD) =>
  who.put('/api/auth/me/password', { oldPassword, newPassword })

const login = (username: string, password: string) =>
  call(app, { method: 'POST', url: '/api/auth/login', payload: { username, password } })

void t.test('4. the new password counts, the old one no longer', async (t) => {
  const one = await client()
  const answer = await change(one, NEW)
  t.equal(answer.status, 204)
  t.equal(answer.body, '')
  t.equal((await login(one.username, NEW)).status, 200)
  t.match(await login(one.username, PASSWORD), { status: 401 })
})

void t.test('4. the old password is needed', async (t) => {
  const one = await client()
  for (const oldPassword of ['wrong', '', PASSWORD.toUpperCase()]) {
    const answer = await change(one, NEW, oldPassword)
    t.match(answer, { status: 400, body: { code: 'validation_failed', errors: [{ path: '/oldPassword' }] } })
  }
  t.match(await one.put('/api/auth/me/password', { newPassword: NEW }), {
    status: 400,
    body: { errors: [{ path: '/oldPassword', message: 'is required' }] },
  })
  t.equal((await login(one.username, PASSWORD)).status, 200, 'nothing changed')
})

void t.test('10. all other sessions end, this one goes on', async (t) => {
  const one = await client()
  const others = [await signIn(one.username), await signIn(one.username)]
  for (const other of others) await other.get('/api/auth/me')
  t.equal((await change(one, NEW)).status, 204)
  for (const other of others) {
    t.match(await other.get('/api/auth/me'), { status: 401 })
    const payload = { refreshToken: other.refreshToken }
    t.match(await call(app, { method: 'POST', url: '/api/auth/refresh', payload }), { status: 401 })
  }
  t.equal((await one.get('/api/auth/me')).status, 200)
  const payload = { refreshToken: one.refreshToken }
  t.equal((await call(app, { method: 'POST', url: '/api/auth/refresh', payload })).status, 200)
})

void t.test('1. 8 characters at least', async (t) => {
  const one = await client()
  t.match(await change(one, 'q7!vLp2'), { status: 400, body: { errors: [{ path: '/newPassword' }] } })
  t.match(await change(one, 'q7!vLp2x'), { status: 204 })
})

void t.test('2. 256 characters at most, all of them count', async (t) => {
  const one = await client()
  t.match(await change(one, 'q'.repeat(257)), { status: 400, body: { errors: [{ path: '/newPassword' }] } })
  const long = 'q7 vLp2x'.repeat(32)
  t.match(await change(one, long), { status: 204 })
  t.match(await login(one.username, `${long.slice(0, -1)}y`), { status: 401 })
  t.match(await login(one.username, long), { status: 200 })
})

void t.test(
  '3. no rules about what it is made of: spaces and Unicode pass, and are not trimmed',
  async (t) => {
    for (const password of [
      'only lower case letters',
      '  zwölf Boxkämpfer  ',
      'пароль длинный',
      '🔑🐎🔋📎🔑🐎🔋📎',
      '83920174658201',
    ]) {
      const one = await client()
      t.match(await change(one, password), { status: 204 }, password)
      t.match(await login(one.username, password), { status: 200 }, password)
      if (password.trim() !== password) t.match(await login(one.username, password.trim()), { status: 401 })
    }
  },
)

void t.test('1. a blank one is refused', async (t) => {
  const one = await client()
  for (const blank of [' '.repeat(12), '\t\n\t\n\t\n\t\n', '\u00a0'.repeat(9)]) {
    t.match(await change(one, blank), { status: 400, body: { errors: [{ path: '/newPassword' }] } })
  }
})

void t.test('6. the user name is refused, in any case', async (t) => {
  const one = await client('margaret')
  for (const password of ['margaret', 'MARGARET', 'Margaret1969', 'my-margaret-password']) {
    const answer = await change(one, password)
    t.match(
      answer,
      { status: 400, body: { errors: [{ path: '/newPassword', message: /user name/ }] } },
      password,
    )
  }
})

void t.test('5. the commonest passwords are refused', async (t) => {
  const one = await client()
  for (const password of [
    'password',
    '12345678',
    'password1',
    'PassWord',
    'qwertyuiop',
    'iloveyou',
    'football',
    'sunshine',
  ]) {
    const answer = await change(one, password)
    t.match(
      answer,
      { status: 400, body: { errors: [{ path: '/newPassword', message: /common/ }] } },
      password,
    )
  }
})

void t.test('63. tries are limited', async (t) => {
  const one = await client()
  const limited = await startApp(t, { database, environment: { RATE_LIMIT: '1000' } })
  const attempt = () =>
    call(limited.app, {
      method: 'PUT',
      url: '/api/auth/me/password',
      headers: { authorization: `Bearer ${one.accessToken}` },
      payload: { oldPassword: 'wrong', newPassword: NEW },
    })
  for (let i = 0; i < 10; i++) t.equal((await attempt()).status, 400)
  t.match(await attempt(), { status: 429, headers: { 'retry-after': /^\d+$/ } })
})

void t.test('78. 79. the change is in the audit trail, the passwords are not', async (t) => {
  const one = await client()
  await change(one, NEW)
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('actor_id', '=', one.userId)
    .where('action', '=', 'user.password_changed')
    .execute()
  t.match(rows, [{ target_id: one.userId, actor_name: one.username }])
  t.notMatch(JSON.stringify(rows), /battery|argon2/)
})

void t.test('86. more hashes at once than can wait are refused with 503, and all are answered', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { verify } = argon2
  t.capture(argon2, 'verify', async (...args: Parameters<typeof verify>) => {
    await released
    return verify(...args)
  })
  const answers = Array.from({ length: availableParallelism() + 100 }, (_, i) =>
    login(`nobody${i}`, 'whatever it is'),
  )
  const refused = await Promise.race(answers)
  release()
  t.match(refused, {
    status: 503,
    body: { code: 'unavailable' },
    headers: { 'retry-after': /^\d+$/ },
  })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  t.same(new Set(statuses), new Set([401, 503]))
})
