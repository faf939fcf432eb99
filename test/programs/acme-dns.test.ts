import { createHash } from 'node:crypto'
import t from 'tap'
import { rescueAdministrator } from '../../modules/users/rescue.ts'
import { call, PASSWORD, type Client } from '../helpers/app.ts'
import { addDomain, addManual, contentsAt, startZone } from '../helpers/zone.ts'

/* What clients of acme-dns send, and what they may reach by it. */
const zone = await startZone(t)
const { app, admin, fake, add, domainId, addUser, signIn } = zone
await addUser('ada')
const ada = await signIn('ada')

const BASE = '/api/v1/acme-dns'
const value = (seed: string) => createHash('sha256').update(seed).digest('base64url')

interface Account {
  username: string
  password: string
  fulldomain: string
  subdomain: string
}

const there = ({ fulldomain }: Account) =>
  contentsAt(fake, 'example.com', fulldomain.replace('.example.com', ''), 'TXT').map((content) =>
    content.slice(1, -1),
  )

async function newToken(restrictions: object | null = { domainIds: [domainId] }, client = admin) {
  const made = await client.post('/api/auth/me/tokens', {
    name: 'certificates',
    permissions: ['acme:challenge'],
    restrictions,
  })
  return made.body as { id: string; token: string }
}

const register = (token: string, payload?: object, path = '') =>
  call(app, {
    method: 'POST',
    url: `${BASE}${path}/register`,
    headers: { authorization: `Basic ${Buffer.from(`root:${token}`).toString('base64')}` },
    ...(payload && { payload }),
  })

const update = (
  { username, password, subdomain }: Account,
  txt: string,
  { body = {}, ip = '192.0.2.7', path = '', type = 'application/json' } = {},
) =>
  call(app, {
    method: 'POST',
    url: `${BASE}${path}/update`,
    headers: { 'x-api-user': username, 'x-api-key': password, 'content-type': type },
    payload: JSON.stringify({ subdomain, txt, ...body }),
    remoteAddress: ip,
  })

const { token, id: tokenId } = await newToken()
const account = (await register(token)).body as Account

void t.test('register answers what acme-dns does, and a name for challenges alone', async (t) => {
  const { status, body } = await register(token, { allowfrom: ['192.0.2.0/24'] }, '/acme.Example.com.')
  t.equal(status, 201)
  t.same(Object.keys(body).sort(), ['allowfrom', 'fulldomain', 'password', 'subdomain', 'username'])
  t.match(body.subdomain, /^[0-9a-f-]{36}$/)
  t.equal(body.fulldomain, `_acme-challenge.${body.subdomain}.acme.example.com`)
  t.match(body.password, /^[\w-]{40}$/)
  t.same(body.allowfrom, ['192.0.2.0/24'])
  const row = await zone.database.db
    .selectFrom('acme_registrations')
    .selectAll()
    .where('id', '=', body.username)
    .executeTakeFirstOrThrow()
  t.notMatch(JSON.stringify(row), body.password, 'only a digest is kept')
  t.match(account.fulldomain, /^_acme-challenge\.[0-9a-f-]{36}\.example\.com$/)
})

void t.test('update sets a value, and keeps the one before it', async (t) => {
  const steps: [string, string[]][] = [
    ['1', ['1']],
    ['2', ['1', '2']],
    ['2', ['1', '2']],
    ['1', ['1', '2']],
    ['3', ['1', '3']],
    ['4', ['3', '4']],
  ]
  for (const [seed, expected] of steps) {
    const { status, body } = await update(account, value(seed))
    t.same([status, body], [200, { txt: value(seed) }])
    t.same(there(account), expected.map(value).sort(), `after ${seed}`)
  }
  const both = await Promise.all(['5', '6'].map((seed) => update(account, value(seed))))
  t.same(
    both.map(({ status }) => status),
    [200, 200],
  )
  t.same(there(account), ['5', '6'].map(value).sort(), 'two at once')
  const form = { type: 'application/x-www-form-urlencoded', path: '/example.com' }
  t.equal((await update(account, value('7'), form)).status, 200, 'JSON that says it is a form')
  const { records } = (await admin.get(`${zone.url}?type=TXT`)).body
  t.same(new Set(records.map(({ ttl }: { ttl: number }) => ttl)), new Set([60]))
})

void t.test('httpreq reaches the same name by a CNAME', async (t) => {
  await add('CNAME', '_acme-challenge.www', account.fulldomain)
  const present = (fqdn: string) =>
    call(app, {
      method: 'POST',
      url: '/api/v1/acme/present',
      headers: { authorization: `Bearer ${token}` },
      payload: { fqdn, value: value('w') },
    })
  t.equal((await present('_acme-challenge.www.example.com.')).status, 200)
  t.ok(there(account).includes(value('w')))
})

void t.test('what is wrong is said in its words', async (t) => {
  const forbidden = { status: 401, body: { error: 'forbidden' } }
  const wrong: [string, Parameters<typeof update>, object][] = [
    ['password', [{ ...account, password: 'x'.repeat(40) }, value('8')], forbidden],
    ['no password', [{ ...account, password: '' }, value('8')], forbidden],
    ['user', [{ ...account, username: tokenId }, value('8')], forbidden],
    ['no user', [{ ...account, username: '' }, value('8')], forbidden],
    ['subdomain', [account, value('8'), { body: { subdomain: 'www' } }], forbidden],
    ['value', [account, 'v=spf1 -all'], { status: 400, body: { error: 'bad_txt' } }],
    ['no value', [account, value('8'), { body: { txt: 1 } }], { status: 400, body: { error: 'bad_txt' } }],
  ]
  for (const [what, sent, answer] of wrong) t.match(await update(...sent), answer, what)
  t.notOk(there(account).includes(value('8')))
  const broken = await call(app, {
    method: 'POST',
    url: `${BASE}/update`,
    headers: { 'content-type': 'application/json' },
    payload: '{',
  })
  t.match(broken, { status: 400, body: { error: 'malformed_json_payload' } })
  t.match(await register(token, { allowfrom: ['home'] }), {
    status: 400,
    body: { error: 'invalid_allowfrom_cidr' },
  })
  t.match(await register(token, { allowfrom: Array.from({ length: 51 }, () => '192.0.2.0/24') }), {
    status: 400,
    body: { error: 'invalid_allowfrom_cidr' },
  })
  t.match(await register('zkp_no'), { ...forbidden, headers: { 'www-authenticate': /^Basic / } })
  t.match(await call(app, { method: 'POST', url: `${BASE}/register` }), forbidden)
  t.equal((await call(app, { url: `${BASE}/health` })).status, 200)
})

void t.test('104. a registration is made only where a token may write', async (t) => {
  await addDomain(admin, await addManual(admin), 'other.example')
  const anywhere = await newToken(null)
  t.match(await register(anywhere.token), { status: 400, body: { error: 'bad_domain' } }, 'which of two?')
  t.equal((await register(anywhere.token, {}, '/other.example')).status, 201)
  for (const [restrictions, path, status] of [
    [{ domainIds: [domainId] }, '/other.example', 404],
    [{ recordTypes: ['A'] }, '/example.com', 403],
    [{ namePatterns: ['*.acme'] }, '/example.com', 403],
    [{}, '/nowhere.test', 404],
  ] as const) {
    const narrow = await newToken(restrictions)
    const answer = await register(narrow.token, {}, path)
    t.match(answer, { status, body: { error: 'forbidden' } }, JSON.stringify(restrictions))
  }
  const below = await newToken({ namePatterns: ['*.acme'] })
  t.equal((await register(below.token, {}, '/acme.example.com')).status, 201)
})

void t.test('104. rights are those of the moment', async (t) => {
  const refusedNow = async (what: string, of: Account, status = 401, ip?: string) => {
    const answer = await update(of, value('late'), ip === undefined ? {} : { ip })
    t.match(answer, { status, body: { error: 'forbidden' } }, what)
    t.notOk(there(of).includes(value('late')))
  }
  const fromThere = (await register(token, { allowfrom: ['192.0.2.0/24', '2001:db8::/32'] })).body as Account
  await refusedNow('another address', fromThere, 401, '198.51.100.1')
  t.equal((await update(fromThere, value('1'), { ip: '2001:db8::1' })).status, 200)

  const assignment = await admin.post('/api/assignments', {
    userId: ada.userId,
    domainId,
    permission: 'write',
  })
  const hers = await newToken(null, ada)
  const made = await call(app, {
    method: 'POST',
    url: `${BASE}/register`,
    headers: { authorization: `Bearer ${hers.token}` },
  })
  const account = made.body as Account
  t.equal((await update(account, value('1'))).status, 200)
  await admin.put(`/api/assignments/${assignment.body.id}`, { permission: 'read' })
  await refusedNow('may read only', account, 403)
  await admin.put(`/api/assignments/${assignment.body.id}`, { permission: 'write' })
  await admin.put(`/api/users/${ada.userId}`, { disabled: true })
  await refusedNow('disabled', account)
  await admin.put(`/api/users/${ada.userId}`, { disabled: false })
  t.equal((await update(account, value('2'))).status, 200)
  const session = await signIn('ada')
  const { id: successor } = (await session.post(`/api/auth/me/tokens/${hers.id}/rotate`)).body
  await zone.database.db.deleteFrom('personal_tokens').where('id', '=', hers.id).execute()
  t.equal((await update(account, value('3'))).status, 200, 'goes on with the token that took the place')
  await session.delete(`/api/auth/me/tokens/${successor}`)
  await refusedNow('token revoked', account)
})

void t.test('the own ones are listed and ended, with their records', async (t) => {
  const { registrations } = (await admin.get('/api/acme/registrations')).body
  t.match(registrations[0], { id: account.username, fulldomain: account.fulldomain, tokenId })
  t.match(registrations[0].lastUsedAt, /^20/)
  t.notMatch(JSON.stringify(registrations), account.password)
  const other = await newToken()
  const asOther = (method: 'GET' | 'DELETE', path = '') =>
    call(app, {
      method,
      url: `/api/v1/acme/registrations${path}`,
      headers: { authorization: `Bearer ${other.token}` },
    })
  t.same((await asOther('GET')).body, { registrations: [] })
  t.equal((await asOther('DELETE', `/${account.username}`)).status, 404)
  t.equal((await (await signIn('ada')).delete(`/api/acme/registrations/${account.username}`)).status, 404)

  t.ok(there(account).length > 0)
  t.equal((await admin.delete(`/api/acme/registrations/${account.username}`)).status, 204)
  t.same(there(account), [])
  t.match(await update(account, value('9')), { status: 401, body: { error: 'forbidden' } })
  const { entries } = (await admin.get('/api/audit?action=acme_registration.deleted')).body
  t.match(entries, [{ target: { id: account.username, name: account.fulldomain } }])
})

void t.test('below a delegation nobody would be answered: no registration, and no update', async (t) => {
  const own = (await register(token, {}, '/child.example.com')).body as Account
  t.equal((await update(own, value('before'))).status, 200)
  await add('NS', 'child', 'ns.example.org')
  t.match(await update(own, value('after')), { status: 409, body: { reason: 'hidden_by_delegation' } })
  t.same(there(own), [value('before')])
  t.match(await register(token, {}, '/child.example.com'), {
    status: 409,
    body: { reason: 'hidden_by_delegation', params: { above: 'child' } },
  })
})

void t.test('one made after a sign-in ends with that session, however it ends', async (t) => {
  const id = await addUser('eve')
  const user = `/api/users/${id}`
  await admin.post('/api/assignments', { userId: id, domainId, permission: 'write' })
  const outdated = () =>
    zone.database.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('user_id', '=', id)
      .execute()
  const newPassword = 'a different battery staple'
  const ends: Record<string, (eve: Client) => Promise<unknown>> = {
    'signed out': (eve) => eve.post('/api/auth/logout'),
    'all sessions ended': () => admin.delete(`${user}/sessions`),
    'other sessions ended': async () => (await signIn('eve')).delete('/api/auth/me/sessions'),
    disabled: async () => {
      await admin.put(user, { disabled: true })
      await admin.put(user, { disabled: false })
    },
    'its time over': outdated,
    'own new password': async () =>
      (await signIn('eve')).put('/api/auth/me/password', { oldPassword: PASSWORD, newPassword }),
    'new password by an administrator': () => admin.put(user, { password: PASSWORD, keepTokens: true }),
    rescued: () => {
      const account = { username: 'eve', removeTwoFactor: false, keepTokens: true }
      return rescueAdministrator(app, account)
    },
  }
  for (const [what, end] of Object.entries(ends)) {
    await admin.put(user, { password: PASSWORD, keepTokens: true })
    const eve = await signIn('eve')
    const made = await eve.post(`${BASE}/example.com/register`)
    t.equal(made.status, 201)
    const account = made.body as Account
    t.equal((await update(account, value('1'))).status, 200)
    await end(eve)
    t.equal((await update(account, value('2'))).status, 401, what)
    t.notOk(there(account).includes(value('2')), what)
  }
})

void t.test('one of before its session was known ends with all sessions of its user', async (t) => {
  const { id } = (await admin.get('/api/users?search=eve')).body.users[0]
  await admin.put(`/api/users/${id}`, { password: PASSWORD })
  const eve = await signIn('eve')
  const account = (await eve.post(`${BASE}/example.com/register`)).body as Account
  const forgotten = { session_id: null }
  await zone.database.db
    .updateTable('acme_registrations')
    .set(forgotten)
    .where('id', '=', account.username)
    .execute()
  await eve.post('/api/auth/logout')
  t.equal((await update(account, value('1'))).status, 200)
  await admin.delete(`/api/users/${eve.userId}/sessions`)
  t.equal((await update(account, value('2'))).status, 401)
})
