import t from 'tap'
import { call, PASSWORD, type Answer, type Client } from '../../helpers/app.ts'
import { withoutShared } from '../../helpers/openapi.ts'
import { until } from '../../helpers/until.ts'
import { addManual, addPowerDns, idOf, startFake, startZone } from '../../helpers/zone.ts'
import { mirrorsOf } from '../../records/mirrors/mirrors.ts'

const zone = await startZone(t)
const { admin, app, domainId, url } = zone

interface Operation {
  parameters?: { name: string; in: string }[]
  responses: Record<string, { headers?: Record<string, unknown> }>
}

const document = withoutShared((await call(app, { url: '/openapi.json' })).body)
const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>)

const matching = (etag: unknown) => ({ headers: { 'if-match': String(etag) } })
const FAILED = { status: 412, body: { code: 'precondition_failed' } }

let made = 0
const next = () => `m${made++}`

/** Makes a resource, and answers its address and how it is changed; a delete may need a body. */
const RESOURCES: Record<string, () => Promise<{ path: string; put?: [object, object]; deletion?: object }>> =
  {
    '/api/users/{id}': async () => {
      const user = { username: next(), password: 'a long password', role: 'member' }
      const id = idOf(await admin.post('/api/users', user))
      return { path: `/api/users/${id}`, put: [{ displayName: 'One' }, { displayName: 'Two' }] }
    },
    '/api/invitations/{id}': async () => ({
      path: `/api/invitations/${idOf(await admin.post('/api/invitations', { role: 'member' }))}`,
    }),
    '/api/2fa/passkeys/{id}': async () => {
      const id = crypto.randomUUID()
      await zone.database.db
        .insertInto('passkeys')
        .values({
          id,
          user_id: admin.userId,
          name: 'key',
          credential_id: id,
          user_verified: true,
          public_key: Buffer.alloc(8),
          counter: 0,
          transports: [],
          backed_up: false,
        })
        .execute()
      return {
        path: `/api/2fa/passkeys/${id}`,
        put: [{ name: 'one' }, { name: 'two' }],
        deletion: { password: PASSWORD },
      }
    },
    '/api/oauth/providers/{id}': async () => {
      const { body } = await admin.get('/api/oauth/providers')
      for (const { id } of body.providers) await admin.delete(`/api/oauth/providers/${id}`)
      const provider = { providerId: 'codehost_a', clientId: 'id', clientSecret: 'secret' }
      const id = idOf(await admin.post('/api/oauth/providers', provider))
      return { path: `/api/oauth/providers/${id}`, put: [{ clientId: 'one' }, { clientId: 'two' }] }
    },
    '/api/provider-configs/{id}': async () => ({
      path: `/api/provider-configs/${await addManual(admin, next())}`,
      put: [{ name: 'one' }, { name: 'two' }],
    }),
    '/api/domains/{id}': async () => {
      const domain = { name: `${next()}.example`, providerConfigId: await addManual(admin, next()) }
      const id = idOf(await admin.post('/api/domains', domain))
      return { path: `/api/domains/${id}`, put: [{ notes: 'one' }, { notes: 'two' }] }
    },
    '/api/domains/{id}/records/{recordId}': async () => {
      const { id } = await zone.add('A', next(), '192.0.2.1')
      return { path: `${url}/${id}`, put: [{ value: '192.0.2.2' }, { value: '192.0.2.3' }] }
    },
    '/api/domains/{id}/rrsets/{name}/{type}': async () => {
      const name = next()
      await zone.add('A', name, '192.0.2.1')
      return {
        path: `/api/domains/${domainId}/rrsets/${name}/A`,
        put: [{ values: ['192.0.2.2'] }, { values: ['192.0.2.3'] }],
      }
    },
    '/api/templates/{id}': async () => {
      const content = (name: string) => ({
        name,
        records: [{ recordType: 'A', name: '@', value: '192.0.2.1' }],
      })
      const id = idOf(await admin.post('/api/templates', content(next())))
      return { path: `/api/templates/${id}`, put: [content('one'), content('two')] }
    },
    '/api/assignments/{id}': async () => {
      const userId = await zone.addUser(next())
      const id = idOf(await admin.post('/api/assignments', { userId, domainId, permission: 'read' }))
      return {
        path: `/api/assignments/${id}`,
        put: [{ permission: 'write' }, { expiresAt: '2099-01-01T00:00:00.000Z' }],
      }
    },
    '/api/change-requests/{id}': async () => {
      const changes = [{ action: 'create', recordType: 'A', name: next(), value: '192.0.2.1' }]
      const asked = await admin.post(`/api/domains/${domainId}/change-requests`, { title: 'x', changes })
      return { path: `/api/change-requests/${idOf(asked)}`, put: [{ title: 'one' }, { title: 'two' }] }
    },
    '/api/domains/{id}/mirrors/{mirrorId}': async () => {
      const fake = await startFake(t)
      fake.createZone('example.com')
      const providerConfigId = await addPowerDns(admin, fake, next())
      const id = idOf(await admin.post(`/api/domains/${domainId}/mirrors`, { providerConfigId }))
      await mirrorsOf(zone).inStep(id)
      return { path: `/api/domains/${domainId}/mirrors/${id}` }
    },
    '/api/domains/{id}/soa': async () => ({
      path: `/api/domains/${domainId}/soa`,
      put: [{ refresh: 7_000 + made++ }, { retry: 1_000 + made++ }],
    }),
    '/api/domains/{id}/dnssec': async () => ({
      path: `/api/domains/${domainId}/dnssec`,
      put: [{ signed: true }, { signed: false }],
    }),
    '/api/notifications': async () => {
      const providerConfigId = await addManual(admin, next())
      idOf(await admin.post('/api/domains', { name: `${next()}.example`, providerConfigId }))
      const waiting = () => zone.database.db.selectFrom('events').select('id').execute()
      await until('all is told', async () => (await waiting()).length === 0)
      return { path: '/api/notifications' }
    },
    '/api/notifications/configs/{id}': async () => {
      const config = { channel: 'webhook', config: { url: 'http://127.0.0.1:9/' }, events: [] }
      const id = idOf(await admin.post('/api/notifications', { ...config, name: next() }))
      return { path: `/api/notifications/configs/${id}`, put: [{ name: 'one' }, { name: 'two' }] }
    },
  }

/** An invitation that is revoked can still be read, a list is empty, and an RRset may be deleted again. */
const STAYING = /invitations|notifications$|rrsets/

const takes = (operation: Operation | undefined, header: string) =>
  operation?.parameters?.some(
    ({ name, in: where }) => where === 'header' && name.toLowerCase() === header,
  ) === true

const withBody = (who: Client, method: 'PUT' | 'DELETE', path: string, etag: unknown, payload?: object) =>
  call(app, {
    method,
    url: path,
    headers: { authorization: `Bearer ${who.accessToken}`, 'if-match': String(etag) },
    ...(payload && { payload }),
  })

for (const [path, operations] of paths) {
  const { get, put, delete: remove } = operations
  const isTagged = get?.responses['200']?.headers?.['etag'] !== undefined
  if (!isTagged || !(put ?? remove)) continue
  const plain = path.replace('/api/v1/', '/api/')
  void t.test(`${path}: what answers an ETag checks If-Match`, async (t) => {
    const make = RESOURCES[plain]
    if (!make) return t.fail('no resource for this path')
    const resource = await make()
    const { put: changes, deletion } = resource
    // The Open API takes access tokens, too.
    const at = path === plain ? resource.path : resource.path.replace('/api/', '/api/v1/')
    const read = () => admin.get(at)
    for (const operation of [put, remove])
      if (operation) t.ok(takes(operation, 'if-match'), 'it is described')
    let now = await read()
    if (put && changes) {
      const old = now
      const [one, two] = changes
      t.match(await withBody(admin, 'PUT', at, '"stale"', one), FAILED)
      t.same((await read()).body, old.body, 'nothing is done')
      t.match(await withBody(admin, 'PUT', at, old.headers['etag'], one), { status: 200 })
      now = await read()
      t.not(now.headers['etag'], old.headers['etag'])
      t.match(await withBody(admin, 'PUT', at, old.headers['etag'], two), FAILED, 'of before')
      const both = `"other", ${String(now.headers['etag'])}`
      if (!path.includes('recordId')) t.match(await withBody(admin, 'PUT', at, both, two), { status: 200 })
      else t.match(await withBody(admin, 'PUT', at, '*', two), { status: 200 })
      now = await read()
    }
    if (remove) {
      t.match(await withBody(admin, 'DELETE', at, '"stale"', deletion), FAILED)
      t.equal((await read()).headers['etag'], now.headers['etag'])
      t.match(await withBody(admin, 'DELETE', at, now.headers['etag'], deletion), { status: 204 })
      const again = await withBody(admin, 'DELETE', at, now.headers['etag'], deletion)
      t.equal(again.status, STAYING.test(path) ? 412 : 404)
    }
  })
}

void t.test('of two writes at once for the same version one is done', async (t) => {
  for (const make of Object.values(RESOURCES)) {
    const { path, put } = await make()
    // A zone is signed or not: one of two writes would change nothing, and leave the tag as it is.
    if (!put || path.endsWith('/dnssec')) continue
    const { headers } = await admin.get(path)
    const answers: Answer[] = await Promise.all(
      put.map((change) => admin.put(path, change, matching(headers['etag']))),
    )
    t.same(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 412],
      path,
    )
  }
})

void t.test('settings of a domain with an address of their own take its tag', async (t) => {
  const path = `/api/domains/${domainId}`
  const { headers } = await admin.get(path)
  const remind = (etag: unknown) =>
    admin.put(`${path}/expiry-remind`, { expiryRemindDays: [Math.ceil(Math.random() * 90)] }, matching(etag))
  t.match(await remind('"stale"'), FAILED)
  t.match(await remind(headers['etag']), { status: 200 })
})

void t.test('where nothing could match, If-Match is refused instead of ignored', async (t) => {
  t.match(await admin.put('/api/auth/me/profile', { displayName: 'x' }, matching('"1"')), FAILED)
  t.match(await admin.put('/api/auth/me/profile', { displayName: 'x' }, matching('*')), { status: 200 })
  t.match(await admin.post('/api/templates', { name: 'x', records: [] }, matching('"1"')), { status: 400 })
  t.match(await admin.delete('/api/auth/me/sessions', matching('"1"')), FAILED)
  t.notOk('etag' in (await admin.get('/api/auth/me/sessions')).headers, 'so it has no tag')
})

void t.test('version in the body stays 409, If-Match is 412, both with the record', async (t) => {
  const { id } = await zone.add('A', 'versions', '192.0.2.1')
  const one = `${url}/${id}`
  await admin.put(one, { value: '192.0.2.2' })
  const current = { current: { id, version: 2 } }
  t.match(await admin.put(one, { value: '192.0.2.3', version: 1 }), {
    status: 409,
    body: { code: 'conflict', ...current },
  })
  t.match(await admin.put(one, { value: '192.0.2.3' }, matching('"1"')), {
    status: 412,
    body: { code: 'precondition_failed', ...current },
  })
  t.match(await admin.delete(one, matching('1')), { status: 412, body: current })
})

void t.test('what a delegate reads says nothing of changes that they do not see', async (t) => {
  const dora = await zone.addUser('dora').then(() => zone.signIn('dora'))
  const given = { userId: dora.userId, domainId, permission: 'write', subdomainPattern: 'dora' }
  await admin.post('/api/assignments', given)
  const own = await zone.add('A', 'dora', '192.0.2.1')
  const reads = [
    `/api/domains/${domainId}`,
    '/api/domains',
    url,
    `${url}/${own.id}`,
    `/api/domains/${domainId}/zone`,
    `/api/domains/${domainId}/changes`,
    `${url}/unmanaged`,
    '/api/records/search?q=dora',
  ]
  const look = async () =>
    Promise.all(
      reads.map(async (path) => {
        const { status, body, headers } = await dora.get(path)
        if (status !== 200) throw new Error(`${path}: ${status}`)
        return { path, body, etag: headers['etag'] }
      }),
    )
  const before = await look()
  const { id } = await zone.add('A', 'hidden', '192.0.2.1')
  await admin.put(`${url}/${id}`, { value: '192.0.2.2' })
  await admin.delete(`${url}/${id}`)
  t.same(await look(), before)

  const version = async (path: string) => (await dora.get(path)).body.recordsVersion
  const [domain, list] = [`/api/domains/${domainId}`, url]
  const first = await version(domain)
  t.equal(await version(list), first)
  t.equal((await dora.get('/api/domains')).body.domains[0].recordsVersion, first)
  const seen = new Set([first])
  await admin.put(`${url}/${own.id}`, { value: '192.0.2.2' })
  seen.add(await version(domain))
  const { id: other } = await zone.add('TXT', 'dora', 'text')
  seen.add(await version(domain))
  await admin.delete(`${url}/${other}`)
  await admin.delete(`${url}/${own.id}`)
  seen.add(await version(domain))
  t.equal(seen.size, 4, 'of those that they see it does')
})

void t.test('a delegate puts their part of a zone by its tag, whatever else changes', async (t) => {
  const finn = await zone.addUser('finn').then(() => zone.signIn('finn'))
  const given = { userId: finn.userId, domainId, permission: 'write', subdomainPattern: 'finn' }
  await admin.post('/api/assignments', given)
  const path = `/api/domains/${domainId}/zone`
  const put = (etag: unknown, value: string) =>
    call(app, {
      method: 'PUT',
      url: `${path}?apply=true`,
      headers: {
        authorization: `Bearer ${finn.accessToken}`,
        'content-type': 'text/dns',
        'if-match': String(etag),
      },
      payload: `finn 300 IN A ${value}\n`,
    })
  const { headers } = await finn.get(path)
  await zone.add('A', 'elsewhere', '192.0.2.1')
  t.equal((await put(headers['etag'], '192.0.2.1')).status, 200)
  t.match(await put(headers['etag'], '192.0.2.2'), FAILED)
})
