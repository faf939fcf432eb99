import t from 'tap'
import { call, startApp, type Client } from '../helpers/app.ts'

/* What a token may do with itself and with the other tokens of its user. */
const { app, admin, addUser, signIn } = await startApp(t)

type Method = 'GET' | 'POST' | 'DELETE'

async function tokenOf(client: Client, permissions: string[], more: object = {}) {
  const { body } = await client.post('/api/auth/me/tokens', { name: 'program', permissions, ...more })
  const headers = { authorization: `Bearer ${body.token}` }
  const send = (method: Method, url: string, payload?: object) =>
    call(app, { method, url, headers, ...(payload && { payload }) })
  return { id: body.id as string, token: body.token as string, send }
}

let users = 0
async function member(): Promise<Client> {
  const username = `member${users++}`
  await addUser(username)
  return signIn(username)
}

const isAlive = async ({ send }: { send: (method: Method, url: string) => Promise<{ status: number }> }) =>
  (await send('GET', '/api/v1/token')).status === 200

void t.test('lists and revokes the tokens of its user, each by its permission', async (t) => {
  const [ada, bob] = [await member(), await member()]
  const [reader, revoker, other] = [
    await tokenOf(ada, ['tokens:read']),
    await tokenOf(ada, ['tokens:revoke']),
    await tokenOf(ada, ['domains:read', 'records:write']),
  ]
  const ofBob = await tokenOf(bob, ['domains:read'])
  const { body } = await reader.send('GET', '/api/v1/tokens')
  t.same(body, (await ada.get('/api/auth/me/tokens')).body, 'as in the account')
  t.equal(body.tokens.length, 3)
  t.notMatch(JSON.stringify(body), other.token)
  const missing = { status: 403, body: { code: 'permission_missing' } }
  t.match(await revoker.send('GET', '/api/v1/tokens'), missing)
  t.match(await reader.send('DELETE', `/api/v1/tokens/${other.id}`), missing)
  t.match(await other.send('GET', '/api/v1/tokens'), missing)
  t.match(await revoker.send('DELETE', `/api/v1/tokens/${ofBob.id}`), { status: 404 })
  t.ok(await isAlive(ofBob), 'a token of somebody else stays')
  t.equal((await revoker.send('DELETE', `/api/v1/tokens/${other.id}`)).status, 204)
  t.notOk(await isAlive(other))
  const { body: audit } = await admin.get('/api/audit?action=token.revoked')
  t.match(audit.entries[0], { actor: { id: ada.userId }, target: { id: other.id } })
})

void t.test('an administrator has no tokens of others by this', async (t) => {
  const ofBob = await tokenOf(await member(), ['domains:read'])
  const ofAdmin = await tokenOf(admin, ['tokens:read', 'tokens:revoke'])
  t.equal((await ofAdmin.send('GET', '/api/v1/tokens')).body.tokens.length, 1)
  t.equal((await ofAdmin.send('DELETE', `/api/v1/tokens/${ofBob.id}`)).status, 404)
  t.ok(await isAlive(ofBob))
})

void t.test('a restricted token reaches none but itself', async (t) => {
  const ada = await member()
  const other = await tokenOf(ada, ['domains:read'])
  const permissions = ['tokens:read', 'tokens:revoke']
  for (const restrictions of [{ namePatterns: ['www'] }, { recordTypes: ['TXT'] }]) {
    const restricted = await tokenOf(ada, permissions, { restrictions })
    t.equal((await restricted.send('GET', '/api/v1/tokens')).status, 403)
    t.equal((await restricted.send('DELETE', `/api/v1/tokens/${other.id}`)).status, 403)
    t.equal((await restricted.send('POST', '/api/v1/token/revoke')).status, 204, 'itself')
    t.notOk(await isAlive(restricted))
  }
  t.ok(await isAlive(other))
})

void t.test('revokes itself, whatever it may; an access token has no token to revoke', async (t) => {
  const ada = await member()
  const [one, two] = [await tokenOf(ada, ['ddns:update']), await tokenOf(ada, ['ddns:update'])]
  t.equal((await one.send('POST', '/api/v1/token/revoke')).status, 204)
  t.notOk(await isAlive(one))
  t.ok(await isAlive(two))
  t.match(await ada.post('/api/v1/token/revoke'), { status: 403 })
})

void t.test('57. no token creates one', async (t) => {
  const all = await tokenOf(admin, ['tokens:read', 'tokens:revoke'])
  const body = { name: 'x', permissions: ['tokens:read'] }
  t.equal((await all.send('POST', '/api/auth/me/tokens', body)).status, 401)
  t.equal((await all.send('POST', '/api/v1/tokens', body)).status, 405)
})
