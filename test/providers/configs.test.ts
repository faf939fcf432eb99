import t from 'tap'
import { PROVIDERS } from '../../modules/providers/registry.ts'
import { startApp } from '../helpers/app.ts'
import { addDomain, addManual, addPowerDns, MANUAL, POWERDNS, startFake } from '../helpers/zone.ts'

const { app, admin, addUser, signIn, database } = await startApp(t)

const UNKNOWN = '0192f0a0-0000-7000-8000-0000000000ff'
const url = '/api/provider-configs'

void t.test('the catalogue says what a client needs to draw a form', async (t) => {
  const { status, body } = await admin.get('/api/providers')
  t.equal(status, 200)
  const ids = body.providers.map(({ id, key }: { id: string; key: string }) => [id, key])
  t.same(
    ids,
    PROVIDERS.map(({ id, key }) => [id, key]),
  )
  t.same(ids.slice(0, 2), [
    [MANUAL, 'manual'],
    [POWERDNS, 'powerdns'],
  ])
  t.equal(new Set(ids.flat()).size, 2 * ids.length, 'each has its own')
  const { credentialSchema, capabilities } = body.providers[1]
  t.same(credentialSchema.required, ['apiUrl', 'apiKey', 'serverId'])
  t.match(credentialSchema.properties, {
    apiUrl: { title: String, type: 'string' },
    apiKey: { title: String, writeOnly: true },
    serverId: { title: String, default: 'localhost' },
  })
  t.match(capabilities, { batch: 'atomic', identity: 'rrset', proxied: false, truth: 'provider' })
  t.ok(capabilities.recordTypes.includes('CAA'))
})

void t.test('create, read, list, update, delete', async (t) => {
  const credentials = { apiUrl: 'http://127.0.0.1:8081', apiKey: 'a-long-and-secret-key-1234' }
  const made = await admin.post(url, { providerId: POWERDNS, name: 'Own', credentials })
  t.match(made, {
    status: 201,
    headers: { location: `${url}/${made.body.id}` },
    body: { providerId: POWERDNS, providerKey: 'powerdns', name: 'Own', ownerId: admin.userId },
  })
  const masked = { ...credentials, apiKey: '••••1234', serverId: 'localhost' }
  t.same(made.body.credentials, masked)
  t.same((await admin.get(`${url}/${made.body.id}`)).body, made.body)
  t.same((await admin.get(url)).body, { providerConfigs: [made.body] })

  const renamed = await admin.put(`${url}/${made.body.id}`, { name: 'Renamed' })
  t.match(renamed, { status: 200, body: { name: 'Renamed', credentials: masked } })
  t.ok(renamed.body.updatedAt > made.body.updatedAt)

  t.match(await admin.delete(`${url}/${made.body.id}`), { status: 204, body: '' })
  t.match(await admin.get(`${url}/${made.body.id}`), { status: 404, body: { code: 'not_found' } })
  t.match(await admin.delete(`${url}/${made.body.id}`), { status: 404 })
  const trail = await database.db.selectFrom('audit').selectAll().orderBy('id').execute()
  t.same(
    trail.map(({ action }) => action).filter((action) => action.startsWith('provider_config')),
    ['provider_config.created', 'provider_config.updated', 'provider_config.deleted'],
  )
  t.notMatch(JSON.stringify(trail), credentials.apiKey)
})

void t.test('76. secrets are encrypted at rest, each bound to its row', async (t) => {
  const apiKey = 'a-very-secret-key-that-nobody-may-read'
  const credentials = { apiUrl: 'http://127.0.0.1:8081', apiKey }
  const first = await admin.post(url, { providerId: POWERDNS, name: 'one', credentials })
  const second = await admin.post(url, { providerId: POWERDNS, name: 'two', credentials })
  const rows = await database.db
    .selectFrom('provider_configs')
    .selectAll()
    .where('id', 'in', [first.body.id, second.body.id])
    .orderBy('name')
    .execute()
  for (const row of rows) t.notMatch(row.credentials.toString('latin1'), /secret|apiKey|127\.0/)
  t.not(rows[0]?.credentials.equals(rows[1]?.credentials as Buffer), true, 'equal secrets look different')

  await database.db
    .updateTable('provider_configs')
    .set({ credentials: rows[0]?.credentials as Buffer })
    .where('id', '=', second.body.id)
    .execute()
  t.match(await admin.get(`${url}/${second.body.id}`), { status: 500, body: { code: 'internal' } })
  t.match(await admin.get(`${url}/${first.body.id}`), { status: 200 })
  // It is in the way of every list.
  await database.db.deleteFrom('provider_configs').where('id', '=', second.body.id).execute()
})

void t.test('77. a credential that is missing, empty or our own mask stays', async (t) => {
  const fake = await startFake(t)
  const id = await addPowerDns(admin, fake)
  const works = async () => (await admin.post(`${url}/${id}/test`)).body.success
  t.equal(await works(), true)
  const { body } = await admin.get(`${url}/${id}`)
  t.match(await admin.put(`${url}/${id}`, body), { status: 200 }, 'the whole resource sent back')
  t.equal(await works(), true)
  t.match(await admin.put(`${url}/${id}`, { credentials: { apiKey: '' } }), { status: 200 })
  t.match(await admin.put(`${url}/${id}`, { credentials: { serverId: 'localhost' } }), { status: 200 })
  t.equal(await works(), true)
  t.match(await admin.put(`${url}/${id}`, { credentials: { apiKey: 'another-key' } }), { status: 200 })
  t.equal(await works(), false)
})

void t.test('77. no password stands in an address', async (t) => {
  const credentials = { apiUrl: 'http://me:PASS@127.0.0.1:8081', apiKey: 'a-long-and-secret-key-1234' }
  const refusal = {
    status: 400,
    body: { errors: [{ path: '/credentials/apiUrl', message: /use apiKey or proxyPassword/ }] },
  }
  t.match(await admin.post(url, { providerId: POWERDNS, name: 'x', credentials }), refusal)
  t.match(await admin.post(`${url}/test`, { providerId: POWERDNS, name: 'x', credentials }), refusal)
  const id = await addPowerDns(admin, await startFake(t))
  t.match(await admin.put(`${url}/${id}`, { credentials }), refusal)

  await t.test('of one that is stored nobody sees it, and it works on', async (t) => {
    const sealed = app.secrets.seal(
      JSON.stringify({ ...credentials, serverId: 'localhost' }),
      `provider_configs/${id}`,
    )
    await database.db
      .updateTable('provider_configs')
      .set({ credentials: sealed })
      .where('id', '=', id)
      .execute()
    const { body } = await admin.get(`${url}/${id}`)
    t.equal(body.credentials.apiUrl, 'http://••••@127.0.0.1:8081')
    t.match(await admin.put(`${url}/${id}`, { ...body, name: 'Renamed' }), { status: 200 })
    const { credentials: kept } = await database.db
      .selectFrom('provider_configs')
      .select('credentials')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    t.match(app.secrets.open(kept, `provider_configs/${id}`), /me:PASS@/)
    const audit = JSON.stringify(await database.db.selectFrom('audit').selectAll().execute())
    for (const text of [audit, JSON.stringify((await admin.get(url)).body)]) t.notMatch(text, /PASS/)
  })
})

void t.test('77. nobody gets a secret by moving the address to a server of theirs', async (t) => {
  const own = await startFake(t)
  const other = await startFake(t)
  const id = await addPowerDns(admin, own)
  const { body } = await admin.get(`${url}/${id}`)
  const moved = (apiUrl: string, more: object = {}) =>
    admin.put(`${url}/${id}`, { credentials: { ...body.credentials, apiUrl, ...more } })
  for (const answer of [
    await moved(other.url),
    await moved(other.url, { apiKey: '' }),
    await moved(`${own.url}/of-another-tenant`),
    await admin.put(`${url}/${id}`, { credentials: { apiUrl: other.url } }),
  ]) {
    t.match(answer, { status: 400, body: { errors: [{ path: '/credentials/apiKey', code: 'give_again' }] } })
  }
  t.match(await moved(`${own.url}/`), { status: 200 }, 'the same address')
  t.match(await moved(other.url, { apiKey: other.apiKey }), { status: 200 })
  t.equal((await admin.post(`${url}/${id}/test`)).body.success, true)
  t.match(await moved(own.url, { apiKey: own.apiKey, proxyUser: 'me', proxyPassword: 'PASS' }), {
    status: 200,
  })
  t.match(await moved(other.url, { apiKey: other.apiKey }), {
    status: 400,
    body: { errors: [{ path: '/credentials/proxyPassword' }] },
  })
  await admin.post(`${url}/${id}/test`)
  t.equal(own.requests.at(-1)?.headers.authorization, `Basic ${btoa('me:PASS')}`)
})

void t.test('77. a secret is shown by four characters at most, a short one by none', async (t) => {
  const shown = async (apiKey: string) => {
    const credentials = { apiUrl: 'http://127.0.0.1:8081', apiKey }
    const made = await admin.post(url, { providerId: POWERDNS, name: 'x', credentials })
    const answers = [made, await admin.get(`${url}/${made.body.id}`), await admin.get(url)]
    for (const { body } of answers) t.notMatch(JSON.stringify(body), apiKey)
    return made.body.credentials.apiKey
  }
  t.equal(await shown('sixteen-letters!'), '••••ers!')
  t.equal(await shown('fifteen-letters'), '••••')
  t.equal(await shown('~'), '••••')
})

void t.test('what is wrong is named', async (t) => {
  const credentials = { apiUrl: 'http://127.0.0.1:8081', apiKey: 'key' }
  const paths = async (body: object) => {
    const answer = await admin.post(url, body)
    t.match(answer, { status: 400, body: { code: 'validation_failed' } })
    const errors = answer.body.errors as { path: string }[]
    return [...new Set(errors.map(({ path }) => path))].sort()
  }
  const valid = { providerId: POWERDNS, name: 'x', credentials }
  t.same(await paths({}), ['/name', '/providerId'])
  t.same(await paths({ providerId: POWERDNS, name: 'x' }), ['/credentials/apiKey', '/credentials/apiUrl'])
  t.same(await paths({ ...valid, providerId: UNKNOWN }), ['/providerId'])
  t.same(await paths({ ...valid, providerId: 'powerdns' }), ['/providerId'])
  t.same(await paths({ ...valid, name: '' }), ['/name'])
  t.same(await paths({ ...valid, name: '   ' }), ['/name'])
  t.same(await paths({ ...valid, name: 'a\nb' }), ['/name'])
  t.same(await paths({ ...valid, name: '\ud800' }), ['/name'])
  for (const apiUrl of ['ftp://127.0.0.1', 'no address', 'http://']) {
    t.same(
      await paths({ ...valid, credentials: { ...credentials, apiUrl } }),
      ['/credentials/apiUrl'],
      apiUrl,
    )
  }
  t.same(await paths({ ...valid, credentials: { ...credentials, apiKey: 'a b' } }), ['/credentials/apiKey'])
  t.same(await paths({ ...valid, credentials: { ...credentials, apiKey: 5 } }), ['/credentials/apiKey'])

  const id = await addManual(admin)
  t.match(await admin.put(`${url}/${id}`, {}), { status: 400 })
  t.match(await admin.put(`${url}/${id}`, { unknown: 1 }), { status: 400 })
  t.match(await admin.get(`${url}/no-uuid`), { status: 400, body: { errors: [{ path: '/id' }] } })
})

void t.test('members have their own, administrators all', async (t) => {
  const fake = await startFake(t)
  await addUser('ada')
  await addUser('bob')
  const [ada, bob] = [await signIn('ada'), await signIn('bob')]
  const id = await addPowerDns(ada, fake)
  for (const answer of [
    await bob.get(`${url}/${id}`),
    await bob.put(`${url}/${id}`, { name: 'mine' }),
    await bob.delete(`${url}/${id}`),
    await bob.post(`${url}/${id}/test`),
    await bob.get(`${url}/${id}/zones`),
    await bob.post('/api/domains/import', { providerConfigId: id, zones: ['example.com'] }),
  ]) {
    t.match(answer, { status: 404, body: { code: 'not_found' } })
  }
  t.same(fake.requests, [])
  t.same((await bob.get(url)).body.providerConfigs, [])
  const { body } = await admin.get(url)
  t.ok(body.providerConfigs.some((config: { id: string }) => config.id === id))
  t.match(await admin.put(`${url}/${id}`, { name: 'seen' }), { status: 200, body: { ownerId: ada.userId } })
})

void t.test('one that domains use stays', async (t) => {
  const id = await addManual(admin)
  const domain = await addDomain(admin, id, 'example.com')
  t.match(await admin.delete(`${url}/${id}`), {
    status: 409,
    body: { code: 'conflict', detail: /[Dd]omains/ },
  })
  t.match(await admin.delete(`/api/domains/${domain.id}`), { status: 204 })
  t.match(await admin.delete(`${url}/${id}`), { status: 204 })
})

void t.test('the test route says what happened', async (t) => {
  const fake = await startFake(t)
  const id = await addPowerDns(admin, fake)
  const tried = async () => (await admin.post(`${url}/${id}/test`)).body
  t.same(await tried(), { success: true, code: null, error: null })
  await admin.put(`${url}/${id}`, { credentials: { apiKey: 'wrong' } })
  t.match(await tried(), { success: false, code: 'provider_auth_failed', error: /API key/ })
  await admin.put(`${url}/${id}`, { credentials: { apiKey: fake.apiKey } })
  fake.fail({ kind: 'garble', body: '<html>not PowerDNS</html>' })
  t.match(await tried(), { success: true }, 'what passes is tried again')
  fake.fail({ kind: 'garble', body: '<html>not PowerDNS</html>', times: Infinity })
  t.match(await tried(), { success: false, code: 'provider_error', error: /format/ })
  await fake.close()
  t.match(await tried(), { success: false, code: 'provider_error', error: /refused the connection/ })
  t.equal((await admin.post(`${url}/${await addManual(admin)}/test`)).body.success, true)
})

void t.test('zones: what is there, and which are registered', async (t) => {
  const fake = await startFake(t)
  const id = await addPowerDns(admin, fake)
  t.same((await admin.get(`${url}/${id}/zones`)).body, { zones: [] })
  for (const name of ['xn--mnchen-3ya.example', 'b.example', 'a.example']) fake.createZone(name)
  const domain = await addDomain(admin, id, 'b.example')
  const shown = (name: string, unicodeName: string, domainId: string | null) => ({
    id: `${name}.`,
    name,
    unicodeName,
    nameServers: null,
    status: null,
    kind: 'primary',
    registered: domainId !== null,
    domainId,
    mirrored: false,
    mirrorOf: null,
  })
  t.same((await admin.get(`${url}/${id}/zones`)).body.zones, [
    shown('a.example', 'a.example', null),
    shown('b.example', 'b.example', domain.id),
    shown('xn--mnchen-3ya.example', 'münchen.example', null),
  ])
  fake.fail({ kind: 'answer', answer: { status: 500 }, times: Infinity })
  t.match(await admin.get(`${url}/${id}/zones`), { status: 502, body: { code: 'provider_error' } })
})

void t.test('credentials are tried before they are stored', async (t) => {
  const { admin, addUser, signIn, database } = await startApp(t)
  await addUser('mia')
  const member = await signIn('mia')
  const fake = await startFake(t)
  const attempt = (apiKey: string) => {
    const credentials = { apiUrl: fake.url, apiKey }
    return member.post(`${url}/test`, { providerId: POWERDNS, name: 'Own', credentials })
  }
  t.same((await attempt(fake.apiKey)).body, { success: true, code: null, error: null })
  t.match(await attempt('another-key-than-that'), {
    status: 200,
    body: { success: false, code: 'provider_auth_failed', error: /API key/ },
  })
  t.match(await member.post(`${url}/test`, { providerId: POWERDNS, name: 'Own', credentials: {} }), {
    status: 400,
    body: { errors: [{ path: '/credentials/apiUrl' }] },
  })
  t.match(await member.post(`${url}/test`, { providerId: UNKNOWN, name: 'Own' }), {
    status: 400,
    body: { errors: [{ path: '/providerId' }] },
  })
  t.same((await admin.get(url)).body, { providerConfigs: [] }, 'and nothing is stored')
  const trail = await database.db.selectFrom('audit').select('action').execute()
  t.notOk(trail.some(({ action }) => action === 'provider_config.created'))
})
