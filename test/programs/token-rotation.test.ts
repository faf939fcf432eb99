import t from 'tap'
import { isWellFormed } from '../../plugins/security/access/personal-tokens.ts'
import { call, PASSWORD, startApp } from '../helpers/app.ts'
import { hear } from '../helpers/events.ts'
import { isProblem } from '../helpers/problem.ts'
import { until } from '../helpers/until.ts'

const { app, admin, addUser, signIn, database } = await startApp(t, { alone: false })
const other = await startApp(t, { database, alone: false })

const HOUR = 3600_000
const own = '/api/auth/me/tokens'

interface Made {
  id: string
  token: string
  expiresAt: string | null
}

async function addToken(body: object = {}): Promise<Made> {
  const answer = await admin.post(own, { name: 'router', permissions: ['domains:read'], ...body })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body as Made
}

const by = (token: string, url: string, { on = app } = {}) =>
  call(on, {
    method: url.endsWith('/rotate') ? 'POST' : 'GET',
    url,
    headers: { authorization: `Bearer ${token}` },
  })
const isAlive = async (token: string, on = app) => (await by(token, '/api/v1/token', { on })).status === 200
const listed = async (id: string) =>
  (await admin.get(own)).body.tokens.find((token: { id: string }) => token.id === id)
const setEnd = (id: string, milliseconds: number, more: object = {}) =>
  database.db
    .updateTable('personal_tokens')
    .set({ expires_at: new Date(Date.now() + milliseconds), ...more })
    .where('id', '=', id)
    .execute()

void t.test('a program asks who it is', async (t) => {
  const restrictions = { namePatterns: ['*.dev'], ipRanges: ['127.0.0.0/8'] }
  const { id, token } = await addToken({ restrictions, expiresAt: '2099-01-01T00:00:00.000Z' })
  const answer = await by(token, '/api/v1/token')
  t.match(answer, { status: 200, body: { id, name: 'router', permissions: ['domains:read'], restrictions } })
  const user = { id: admin.userId, kind: 'person', username: 'root', role: 'admin' }
  t.match(answer.body, { expiresAt: '2099-01-01T00:00:00.000Z', user })
  t.notMatch(JSON.stringify(answer.body), /zkp_/)
  isProblem(t, await admin.get('/api/v1/token'), 403, 'forbidden')
})

void t.test('its owner replaces it; the old one is good for an hour more', async (t) => {
  const old = await addToken({
    restrictions: { recordTypes: ['TXT'] },
    expiresAt: '2099-01-01T00:00:00.000Z',
  })
  t.ok(await isAlive(old.token, other.app), 'remembered there')
  const rotated = await admin.post(`${own}/${old.id}/rotate`)
  t.match(rotated, { status: 201, body: { name: 'router', permissions: ['domains:read'] } })
  t.match(rotated.body, { restrictions: { recordTypes: ['TXT'] }, expiresAt: '2099-01-01T00:00:00.000Z' })
  t.not(rotated.body.token, old.token)
  t.ok((await isAlive(rotated.body.token)) && (await isAlive(old.token)), 'both are good')
  const shown = await listed(old.id)
  t.equal(shown.replacedBy, rotated.body.id)
  const left = new Date(shown.expiresAt).getTime() - Date.now()
  t.ok(left > HOUR - 60_000 && left <= HOUR, 'for an hour')
  isProblem(t, await admin.post(`${own}/${old.id}/rotate`), 409, 'conflict')
  const ended = await until('the other instance knows its new end', async () => {
    const { body } = await by(old.token, '/api/v1/token', { on: other.app })
    return body.expiresAt === shown.expiresAt
  })
  t.not(ended, false)
  const trail = await admin.get('/api/audit?action=token.rotated&limit=1')
  t.match(trail.body.entries, [{ target: { id: rotated.body.id, name: 'router' }, before: { id: old.id } }])
  t.notMatch(JSON.stringify(trail.body), /zkp_/)
})

void t.test('100. after that it is dead, also where it was remembered, and forgotten', async (t) => {
  const old = await addToken()
  const rotated = await admin.post(`${own}/${old.id}/rotate`, { expiresAt: '2098-01-01T00:00:00.000Z' })
  t.equal(rotated.body.expiresAt, '2098-01-01T00:00:00.000Z')
  await setEnd(old.id, 400)
  const ends = Date.now() + 400
  for (const on of [app, other.app]) on.events.emit('token.revoked', { tokenId: old.id })
  // Both remember it, unless the machine is so slow that it has ended already.
  for (const on of [app, other.app]) await isAlive(old.token, on)
  await until('its end', async () => Date.now() > ends)
  t.notOk(await isAlive(old.token))
  t.notOk(await isAlive(old.token, other.app))
  t.ok(await isAlive(rotated.body.token))
})

void t.test('replacing needs a fresh sign-in, and a token of the own that is not over', async (t) => {
  await addUser('ada')
  const ada = await signIn('ada')
  const { id } = await addToken()
  isProblem(t, await ada.post(`${own}/${id}/rotate`), 404, 'not_found')
  const hers = (await ada.post(own, { name: 'x', permissions: ['domains:read'] })).body as Made
  const created_at = new Date(Date.now() - 11 * 60_000)
  await database.db.updateTable('sessions').set({ created_at }).where('user_id', '=', ada.userId).execute()
  isProblem(t, await ada.post(`${own}/${hers.id}/rotate`), 403, 'reauthentication_required')
  const past = { password: PASSWORD, expiresAt: '2001-01-01T00:00:00Z' }
  t.match(await ada.post(`${own}/${hers.id}/rotate`, past), {
    status: 400,
    body: { errors: [{ path: '/expiresAt' }] },
  })
  t.equal((await ada.post(`${own}/${hers.id}/rotate`, { password: PASSWORD })).status, 201)
  await setEnd(id, -1000)
  isProblem(t, await admin.post(`${own}/${id}/rotate`), 404, 'not_found')
})

void t.test(
  'a program replaces its own token, and gets the same answer again when it was lost',
  async (t) => {
    const { id, token, expiresAt } = await addToken({ expiresAt: '2099-01-01T00:00:00.000Z' })
    const rotate = (on = app) => by(token, '/api/v1/token/rotate', { on })
    const answers = await Promise.all([rotate(), rotate(other.app), rotate()])
    const [first, ...again] = answers
    t.match(first, { status: 201, body: { expiresAt, permissions: ['domains:read'] } })
    for (const answer of again) t.same(answer.body, first?.body, 'also at the same time')
    t.ok(isWellFormed(first?.body.token))
    t.ok(await isAlive(first?.body.token, other.app))
    isProblem(t, await admin.post(`${own}/${id}/rotate`), 409, 'conflict')
    const next = await by(first?.body.token, '/api/v1/token/rotate')
    t.not(next.body.token, first?.body.token)

    t.equal((await admin.delete(`${own}/${next.body.id}`)).status, 204)
    for (const dead of [next.body.token, first?.body.token, token]) {
      t.notOk(await isAlive(dead), 'what it took the place of ends with it')
    }
    isProblem(t, await admin.post('/api/v1/token/rotate'), 403, 'forbidden')
  },
)

void t.test(
  'revoking one that was replaced ends what took its place, however often, everywhere',
  async (t) => {
    for (const byOwner of [false, true]) {
      const first = await addToken()
      const second = (
        byOwner
          ? await admin.post(`${own}/${first.id}/rotate`)
          : await by(first.token, '/api/v1/token/rotate')
      ).body as Made
      const third = (await by(second.token, '/api/v1/token/rotate')).body as Made
      const all = [first, second, third]
      for (const { token } of all) t.ok(await isAlive(token, other.app), 'remembered there')
      t.equal((await admin.delete(`${own}/${byOwner ? second.id : first.id}`)).status, 204)
      for (const { id, token } of all) {
        t.notOk(await isAlive(token))
        await until('the other instance knows', async () => !(await isAlive(token, other.app)))
        t.equal(await listed(id), undefined)
      }
      const trail = await admin.get('/api/audit?action=token.revoked&limit=1')
      const ended = trail.body.entries[0].before.ended.map(({ id }: { id: string }) => id)
      t.same(ended.sort(), all.map(({ id }) => id).sort())
    }
  },
)

void t.test('one that its owner replaced can not replace itself', async (t) => {
  const { id, token } = await addToken()
  await admin.post(`${own}/${id}/rotate`)
  isProblem(t, await by(token, '/api/v1/token/rotate'), 409, 'conflict')
})

void t.test('administrators replace those of machines', async (t) => {
  const { body: machine } = await admin.post('/api/users', { kind: 'machine', username: 'ci' })
  const path = `/api/users/${machine.id}/tokens`
  const { body: old } = await admin.post(path, { name: 'ci', permissions: ['domains:read'] })
  const rotated = await admin.post(`${path}/${old.id}/rotate`)
  t.match(rotated, { status: 201, headers: { location: `${path}/${rotated.body.id}` } })
  t.match((await by(rotated.body.token, '/api/v1/token')).body, { user: { username: 'ci', kind: 'machine' } })
})

void t.test('owners are told before a token ends, once; administrators of those of machines', async (t) => {
  await database.db.deleteFrom('personal_tokens').execute()
  const events = [app, other.app].map((one) => hear(one, 'account.token_expiring'))
  const sweep = async () => {
    await Promise.all([app, other.app].map((one) => one.work.run('tokens.reminders')))
    const told = await Promise.all(events.map((heard) => heard()))
    return Object.fromEntries(told.flat().map(({ payload }) => [payload.metadata.tokenName, payload.userIds]))
  }
  const DAY = 24 * HOUR
  const long = { created_at: new Date(Date.now() - 90 * DAY) }
  const near = await addToken({ name: 'near' })
  await setEnd(near.id, 6 * DAY, long)
  await setEnd((await addToken({ name: 'far' })).id, 8 * DAY, long)
  await setEnd((await addToken({ name: 'short' })).id, 5 * DAY)
  await addToken({ name: 'endless' })
  const machine = (await admin.get('/api/users?kind=machine')).body.users[0]
  const ofMachine = await admin.post(`/api/users/${machine.id}/tokens`, {
    name: 'ci',
    permissions: ['domains:read'],
  })
  await setEnd(ofMachine.body.id, 7 * DAY - 1000, long)
  t.same(await sweep(), { ci: [admin.userId], near: [admin.userId] })
  t.same(await sweep(), {})
  await admin.post(`${own}/${near.id}/rotate`)
  t.same(await sweep(), {}, 'nor of the same end of the one in its place')
})
