import t from 'tap'
import { PASSWORD, startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { addDomain, addManual, addPowerDns, idOf, POWERDNS, startFake } from '../../helpers/zone.ts'
import { startServer } from '../../conformance/simulators/server.ts'

/* What a domain knows of its zone once it is registered. */
const service = await startApp(t, { providerBudgetMs: 6_000 })
const { admin, app } = service
const fake = await startFake(t)
const config = await addPowerDns(admin, fake)
const records = async (id: string) => {
  const { body } = await admin.get(`/api/domains/${id}/records?limit=200`)
  return (body.records as { name: string; recordType: string; value: string }[])
    .map(({ name, recordType, value }) => `${name} ${recordType} ${value}`)
    .sort()
}
const put = (zone: string, name: string, content: string) =>
  fake.patch(zone, [
    {
      name: `${name}.${zone}.`,
      type: 'A',
      changetype: 'REPLACE',
      ttl: 300,
      records: [{ content, disabled: false }],
    },
  ])

void t.test('the records of the zone are there with the answer, by session and by token', async (t) => {
  const { body: made } = await admin.post('/api/auth/me/tokens', {
    name: 'registers',
    password: PASSWORD,
    permissions: ['domains:read', 'domains:write'],
  })
  const byToken = async (payload: object) => {
    const headers = { authorization: `Bearer ${made.token}` }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/domains', headers, payload })
    return { status: answer.statusCode, body: answer.json() }
  }
  // oxlint-disable-next-line typescript/no-explicit-any
  const ways: [string, (body: object) => Promise<{ status: number; body: any }>][] = [
    ['session.example', (body) => admin.post('/api/domains', body)],
    ['token.example', byToken],
  ]
  for (const [name, register] of ways) {
    fake.createZone(name)
    put(name, 'www', '192.0.2.1')
    const { status, body } = await register({ name, providerConfigId: config })
    t.match(
      { status, body },
      { status: 201, body: { recordCount: 1, lastSyncedAt: String, lastSyncError: null } },
    )
    t.same(await records(body.id), ['www A 192.0.2.1'])
    const history = await admin.get(`/api/domains/${body.id}/changes`)
    t.match(history.body.changes, [{ source: 'sync' }])
  }
  const { body } = await admin.get('/api/domains?search=session')
  t.equal(body.domains[0].lastSyncError, null)
})

void t.test('a zone that was made knows its NS and SOA', async (t) => {
  const { body } = await admin.post('/api/provider-configs', {
    providerId: POWERDNS,
    name: 'makes zones',
    credentials: { apiUrl: fake.url, apiKey: fake.apiKey },
    nameServers: ['ns1.example.net', 'ns2.example.net'],
  })
  const { id } = await addDomain(admin, body.id, 'made.example', { createZone: true })
  t.same(await records(id), ['@ NS ns1.example.net', '@ NS ns2.example.net'])
  for (const url of [`/api/domains/${id}/zone`, `/api/domains/${id}/records/export`]) {
    const text = String((await admin.get(url)).body)
    t.match(
      text,
      /^@\t3600\tIN\tSOA\tns1\.example\.net\. hostmaster\.made\.example\. \d+ 10800 3600 1209600 3600$/m,
    )
    t.match(text, /^@\t3600\tIN\tNS\tns2\.example\.net\.$/m)
    const again = await admin.post(`/api/domains/${id}/records/import`, {
      zonefile: text,
      mode: 'replace',
      dryRun: true,
    })
    t.match(again, {
      status: 200,
      body: { plan: { creates: { length: 0 }, updates: { length: 0 }, deletes: { length: 0 } } },
    })
  }
  const changed = await admin.put(`/api/domains/${id}/soa`, { minimum: 600 })
  t.equal(changed.status, 200)
  t.match(String((await admin.get(`/api/domains/${id}/zone`)).body), / 600$/m, 'also after it was changed')
})

void t.test('records that are only kept here are not read from anywhere', async (t) => {
  const { body } = await admin.post('/api/domains', {
    name: 'manual.example',
    providerConfigId: await addManual(admin),
  })
  t.match(body, { recordCount: 0, lastSyncedAt: null, lastSyncError: null })
})

/** A PowerDNS whose answers with records wait, or fail, when told so. */
async function startFront(t: { teardown(end: () => unknown): void }) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const state = { reading: 'open' as 'open' | 'waits' | 'fails' }
  const front = await startServer(async ({ method, path, query, headers, body }) => {
    if (path.includes('/zones/') && state.reading === 'fails') return { status: 500, headers: {}, body: '' }
    if (path.includes('/zones/') && state.reading === 'waits') await opened
    const answer = await fetch(`${fake.url}${path}?${query.toString()}`, {
      method,
      headers: { accept: String(headers.accept), 'x-api-key': String(headers['x-api-key']) },
      ...(body === '' ? {} : { body }),
    })
    const type = { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }
    return { status: answer.status, headers: type, body: await answer.text() }
  })
  t.teardown(() => front.close())
  const credentials = { apiUrl: front.url, apiKey: fake.apiKey }
  const made = await admin.post('/api/provider-configs', {
    providerId: POWERDNS,
    name: front.url,
    credentials,
  })
  return { configId: idOf(made), state, open }
}

void t.test('a slow provider keeps nobody waiting: it is read in the background', async (t) => {
  fake.createZone('slow.example')
  put('slow.example', 'www', '192.0.2.1')
  const { configId, state, open } = await startFront(t)
  state.reading = 'waits'
  const { status, body } = await admin.post('/api/domains', {
    name: 'slow.example',
    providerConfigId: configId,
  })
  t.match(
    { status, body },
    { status: 201, body: { recordCount: 0, lastSyncedAt: null, lastSyncError: null } },
  )
  open()
  await until(
    'it was read',
    async () => (await admin.get(`/api/domains/${body.id}`)).body.lastSyncedAt !== null,
  )
  t.same(await records(body.id), ['www A 192.0.2.1'])
})

void t.test('a provider that fails then loses no registration, and is asked again', async (t) => {
  fake.createZone('failing.example')
  put('failing.example', 'www', '192.0.2.1')
  const { configId, state } = await startFront(t)
  state.reading = 'fails'
  const { status, body } = await admin.post('/api/domains', {
    name: 'failing.example',
    providerConfigId: configId,
  })
  t.match({ status, body }, { status: 201, body: { lastSyncedAt: null } })
  await until('the failure is noted', async () => {
    return (await admin.get(`/api/domains/${body.id}`)).body.lastSyncError !== null
  })
  state.reading = 'open'
  const { db } = service.database
  await db
    .updateTable('domains')
    .set({ sync_due_at: new Date(0) })
    .where('id', '=', body.id)
    .execute()
  await db
    .updateTable('provider_configs')
    .set({ breaker_next_try: null })
    .where('id', '=', configId)
    .execute()
  await until('it was read', async () => {
    await app.work.run('records.sync')
    return (await admin.get(`/api/domains/${body.id}`)).body.lastSyncedAt !== null
  })
  t.match((await admin.get(`/api/domains/${body.id}`)).body, { recordCount: 1, lastSyncError: null })
  const { sync_due_at: due } = await db
    .selectFrom('domains')
    .select('sync_due_at')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow()
  t.equal(due, null, 'once it was read it is not read by itself')
})
