import t from 'tap'
import { rescueAdministrator } from '../../modules/users/service.ts'
import { call, PASSWORD, startApp } from '../helpers/app.ts'
import { isProblem } from '../helpers/problem.ts'

const { app, admin, addUser, signIn, database } = await startApp(t)

const { body: machine } = await admin.post('/api/users', {
  kind: 'machine',
  username: 'CI',
  displayName: 'Builds',
})
const path = `/api/users/${machine.id}`

const PERMISSIONS = ['domains:read', 'domains:write', 'records:read', 'records:write']
const addToken = async (body: object = {}) => {
  const answer = await admin.post(`${path}/tokens`, { name: 'builds', permissions: PERMISSIONS, ...body })
  t.equal(answer.status, 201)
  return answer.body as { id: string; token: string }
}
const by = (token: string, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
  call(app, { method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) })

void t.test('an administrator makes one, which has no way in and is shown as what it is', async (t) => {
  t.match(machine, { kind: 'machine', username: 'ci', role: 'member', hasPassword: false, email: null })
  const list = async (query: string) => (await admin.get(`/api/users?${query}`)).body
  t.match(await list('kind=machine'), { total: 1, users: [{ username: 'ci', kind: 'machine' }] })
  t.match(await list('kind=person'), { total: 1, users: [{ username: 'root', kind: 'person' }] })
  await addUser('member')
  const member = await signIn('member')
  isProblem(t, await member.post('/api/users', { kind: 'machine', username: 'mine' }), 403, 'forbidden')
  isProblem(t, await member.get(`${path}/tokens`), 403, 'forbidden')
})

void t.test('105. nothing can be stored that would let somebody in', async (t) => {
  for (const [field, value] of Object.entries({ password: PASSWORD, email: 'ci@example.com' })) {
    const wrong = { status: 400, body: { errors: [{ path: `/${field}`, code: 'machine_account' }] } }
    t.match(await admin.post('/api/users', { kind: 'machine', username: 'ci2', [field]: value }), wrong)
    t.match(await admin.put(path, { [field]: value }), wrong)
  }
  const signIns = [
    ['/api/auth/login', { username: 'ci', password: '' }],
    ['/api/auth/login', { username: 'ci', password: PASSWORD }],
  ] as const
  for (const [url, payload] of signIns)
    t.equal((await call(app, { method: 'POST', url, payload })).status, 401)
  await t.rejects(
    database.db.updateTable('users').set({ password_hash: 'x' }).where('id', '=', machine.id).execute(),
    /users_machine/,
    'the database refuses it, too',
  )
  const wanted = { username: 'ci', removeTwoFactor: false, keepTokens: false }
  await t.rejects(rescueAdministrator(app, wanted), /machine account/, 'nor does npm run create-admin')
})

void t.test(
  '105. its tokens open the Open API and nothing else, also not by password or a passkey',
  async (t) => {
    const { token } = await addToken()
    t.match(await by(token, 'GET', '/api/v1/domains'), { status: 200, body: { total: 0 } })
    for (const [method, url] of [
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/me/tokens'],
      ['PUT', '/api/auth/me/password'],
      ['PUT', '/api/auth/me/email'],
      ['POST', '/api/2fa/passkeys/options'],
      ['POST', '/api/auth/oauth/oidc/bind/start'],
    ] as const) {
      isProblem(t, await by(token, method, url, method === 'GET' ? undefined : {}), 401, 'unauthenticated')
    }
  },
)

void t.test('administrators list and revoke its tokens; those of people are none of theirs', async (t) => {
  const { id, token } = await addToken({ expiresAt: '2099-01-01T00:00:00Z', name: 'nightly' })
  const { body } = await admin.get(`${path}/tokens`)
  t.match(body.tokens.at(-1), { id, name: 'nightly', expiresAt: /^2099/, lastUsedAt: null, replacedBy: null })
  t.notMatch(JSON.stringify(body), token)
  t.equal((await admin.delete(`${path}/tokens/${id}`)).status, 204)
  t.equal((await by(token, 'GET', '/api/v1/domains')).status, 401)
  t.equal((await admin.delete(`${path}/tokens/${id}`)).status, 404)
  const person = `/api/users/${await addUser('person')}/tokens`
  isProblem(t, await admin.get(person), 409, 'conflict')
  isProblem(t, await admin.post(person, { name: 'x', permissions: PERMISSIONS }), 409, 'conflict')
  const nobody = '/api/users/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10/tokens'
  isProblem(t, await admin.get(nobody), 404, 'not_found')
  const trail = await admin.get('/api/audit?action=token.*&limit=2')
  const created = {
    action: 'token.created',
    actor: { name: 'root', kind: 'person' },
    after: { username: 'ci' },
  }
  t.match(trail.body.entries, [{ action: 'token.revoked' }, created])
})

void t.test('making one of its tokens needs a fresh sign-in of the administrator', async (t) => {
  await addUser('stale', 'admin')
  const stale = await signIn('stale')
  const created_at = new Date(Date.now() - 11 * 60_000)
  await database.db.updateTable('sessions').set({ created_at }).where('user_id', '=', stale.userId).execute()
  const body = { name: 'x', permissions: PERMISSIONS }
  isProblem(t, await stale.post(`${path}/tokens`, body), 403, 'reauthentication_required')
  t.equal((await stale.post(`${path}/tokens`, { ...body, password: PASSWORD })).status, 201)
})

void t.test('it owns domains and provider configurations, and is named in history and audit', async (t) => {
  const providerId = '0192f0a0-0000-7000-8000-000000000001'
  const config = { providerId, name: 'of the machine', ownerId: machine.id }
  const { body: own } = await admin.post('/api/provider-configs', config)
  t.match(own, { ownerId: machine.id })
  const member = await signIn('member')
  isProblem(t, await member.post('/api/provider-configs', config), 403, 'forbidden')
  const unknown = { ...config, ownerId: '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10' }
  t.match(await admin.post('/api/provider-configs', unknown), {
    status: 400,
    body: { errors: [{ path: '/ownerId' }] },
  })
  const { body: domain } = await admin.post('/api/domains', { name: 'ci.example', providerConfigId: own.id })
  t.equal((await admin.post(`/api/domains/${domain.id}/transfer`, { username: 'ci' })).status, 204)
  const { token } = await addToken()
  const record = { recordType: 'A', name: 'www', value: '192.0.2.1' }
  t.equal((await by(token, 'POST', `/api/v1/domains/${domain.id}/records`, record)).status, 201)
  const history = await admin.get(`/api/domains/${domain.id}/changes`)
  t.match(history.body.changes[0], { actor: { name: 'ci', kind: 'machine' } })
  const trail = await admin.get('/api/audit?action=records.changed&limit=1')
  t.match(trail.body.entries, [{ actor: { name: 'ci', kind: 'machine' } }])
  isProblem(t, await admin.delete(path), 409, 'conflict')
})

void t.test('one that is disabled or gone is refused, and none is the last administrator', async (t) => {
  const { token } = await addToken()
  t.equal((await admin.put(path, { role: 'admin' })).status, 200)
  await database.db.deleteFrom('users').where('username', '=', 'stale').execute()
  isProblem(t, await admin.put(`/api/users/${admin.userId}`, { role: 'member' }), 409, 'conflict')
  t.equal((await admin.put(path, { disabled: true })).status, 200, 'it may go')
  t.equal((await by(token, 'GET', '/api/v1/domains')).status, 401)
  t.equal((await admin.put(path, { disabled: false, role: 'member' })).status, 200)
  t.equal((await by(token, 'GET', '/api/v1/domains')).status, 200)
  t.equal((await admin.delete(`${path}?transferTo=${admin.userId}`)).status, 204)
  t.equal((await by(token, 'GET', '/api/v1/domains')).status, 401)
  const history = await admin.get('/api/audit?actor=ci&limit=1')
  t.match(history.body.entries, [{ actor: { name: 'ci', kind: null } }])
})
