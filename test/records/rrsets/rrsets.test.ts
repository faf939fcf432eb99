import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { until } from '../../helpers/until.ts'
import { addDomain, addManual, startZone } from '../../helpers/zone.ts'

/* Whole RRsets as a resource: what declarative tools read, write and delete. */
const zone = await startZone(t)
const { admin, domainId, there, putThere, here, add } = zone
const at = (name: string, type: string, base = '/api') => `${base}/domains/${domainId}/rrsets/${name}/${type}`
const batch = `/api/domains/${domainId}/rrsets/batch`

/** The resource, the list and the provider agree. */
async function agree(t: Test, name: string, type: string, values: string[]) {
  t.same(there(name, type), values, 'at the provider')
  const read = await admin.get(at(name, type))
  t.same(read.status === 404 ? [] : (read.body.values as string[]).toSorted(), values, 'the resource')
  const listed = (await here()).filter((one) => one.startsWith(`${name} ${type} `))
  t.same(
    listed.map((one) => one.split(' ').slice(2).join(' ')),
    values,
    'the list',
  )
}

void t.test('created, read, replaced, deleted; a repeat changes nothing', async (t) => {
  for (const base of ['/api', '/api/v1']) {
    const url = at('www', 'A', base)
    t.equal((await admin.get(url)).status, 404)
    const body = { values: ['192.0.2.1', '192.0.2.2'], ttl: 600, comment: 'the shop' }
    const made = await admin.put(url, body)
    t.match(made, { status: 201, body: { ...body, name: 'www', recordType: 'A', records: [{}, {}] } })
    await agree(t, 'www', 'A', body.values)
    const read = await admin.get(url)
    t.match(read, { status: 200, body: { ...body, records: [{ ttl: 600, comment: 'the shop' }, {}] } })

    const again = await admin.put(url, body)
    t.match(again, { status: 200, body: { changeId: null } })
    t.equal((await admin.get(url)).headers['etag'], read.headers['etag'])

    const other = await admin.put(url, { values: ['192.0.2.2', '192.0.2.3'] })
    t.match(other, { status: 200, body: { ttl: 600, comment: 'the shop', changeId: /./ } })
    await agree(t, 'www', 'A', ['192.0.2.2', '192.0.2.3'])

    const gone = await admin.delete(url)
    t.match(gone, { status: 204, headers: { 'change-id': /./ } })
    await agree(t, 'www', 'A', [])
    t.notOk((await admin.delete(url)).headers['change-id'], 'nothing to delete')
  }
})

void t.test('the apex, a wildcard, a full name, text', async (t) => {
  const cases = [
    ['@', 'MX', '10 mail.example.net'],
    ['%2A', 'A', '192.0.2.9'],
    ['full.example.com', 'A', '192.0.2.9'],
    ['text', 'TXT', 'v=spf1 -all'],
  ] as const
  for (const [name, type, value] of cases) {
    t.match(await admin.put(at(name, type), { values: [value] }), { status: 201, body: { values: [value] } })
    t.match(await admin.get(at(name, type)), { status: 200, body: { values: [value] } })
  }
  t.match((await admin.get(at('full', 'A'))).body, { name: 'full' })
})

void t.test('values that only the provider holds are replaced and deleted, too', async (t) => {
  putThere('found', 'A', '198.51.100.7')
  t.equal((await admin.put(at('found', 'A'), { values: ['192.0.2.1'] })).status, 200, 'it was there')
  await agree(t, 'found', 'A', ['192.0.2.1'])
  putThere('found', 'A', '198.51.100.8')
  t.equal((await admin.delete(at('found', 'A'))).status, 204)
  await agree(t, 'found', 'A', [])
})

void t.test('disabled records are no part of it, and stay', async (t) => {
  await add('A', 'half', '192.0.2.1')
  await add('A', 'half', '192.0.2.2', { enabled: false })
  t.match((await admin.get(at('half', 'A'))).body, { values: ['192.0.2.1'] })
  t.match(await admin.put(at('half', 'A'), { values: ['192.0.2.1'] }), {
    status: 200,
    body: { changeId: null },
  })
  t.equal((await admin.delete(at('half', 'A'))).status, 204)
  t.equal((await admin.get(at('half', 'A'))).status, 404)
  t.same(
    (await here()).filter((one) => one.startsWith('half ')),
    ['half A 192.0.2.2'],
  )
  t.match(await admin.put(at('half', 'A'), { values: ['192.0.2.2'] }), {
    status: 200,
    body: { values: ['192.0.2.2'] },
  })
})

void t.test('If-Match and If-None-Match', async (t) => {
  const url = at('tagged', 'A')
  const put = (value: string, headers: Record<string, string>) =>
    admin.put(url, { values: [value] }, { headers })
  t.equal((await put('192.0.2.1', { 'if-match': '"other"' })).status, 412, 'there is none')
  t.equal((await put('192.0.2.1', { 'if-none-match': '*' })).status, 201)
  t.equal((await put('192.0.2.2', { 'if-none-match': '*' })).status, 412)
  const etag = String((await admin.get(url)).headers['etag'])
  t.equal((await put('192.0.2.2', { 'if-match': etag })).status, 200)
  t.equal((await put('192.0.2.3', { 'if-match': etag })).status, 412)
  t.equal((await admin.delete(url, { headers: { 'if-match': etag } })).status, 412)
  putThere('tagged', 'A', '198.51.100.7')
  const now = String((await admin.get(url)).headers['etag'])
  t.equal((await put('192.0.2.3', { 'if-match': now })).status, 412, 'somebody changed it at the provider')
  const last = String((await admin.get(url)).headers['etag'])
  t.equal((await admin.delete(url, { headers: { 'if-match': last } })).status, 204)
  await agree(t, 'tagged', 'A', [])
})

void t.test('a record created between reading and writing does not stay beside what is set', async (t) => {
  const byHand = await addDomain(admin, await addManual(admin), 'race.example')
  const base = `/api/domains/${byHand.id}`
  const create = (value: string) => admin.post(`${base}/records`, { recordType: 'A', name: 'race', value })
  await create('192.0.2.1')
  const { db } = zone.database
  const waiting = (count: number) =>
    until(`${count} wait for the domain`, async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `.execute(db)
      return rows.length === count
    })
  const [created, set] = await db.transaction().execute(async (trx) => {
    await sql`select from domains where id = ${byHand.id} for update`.execute(trx)
    const creating = create('192.0.2.5')
    await waiting(1)
    const setting = admin.put(`${base}/rrsets/race/A`, { values: ['192.0.2.2'] })
    await waiting(2)
    return [creating, setting] as const
  })
  t.equal((await created).status, 201)
  const { status, body } = await set
  t.equal(status, 200)
  t.same(body.values, ['192.0.2.2'])
  t.same((await admin.get(`${base}/rrsets/race/A`)).body.values, ['192.0.2.2'])
})

void t.test('a kept plan of a set is outdated once the RRset has another record', async (t) => {
  await add('A', 'kept', '192.0.2.1')
  const set = { action: 'set', recordType: 'A', name: 'kept', values: ['192.0.2.2'] }
  const { body: plan } = await admin.post(`${zone.url}/plan`, { changes: [set], keep: true })
  await add('A', 'kept', '192.0.2.5')
  t.match(await admin.post(`${zone.url}/apply`, { planId: plan.planId }), {
    status: 409,
    body: { code: 'plan_outdated' },
  })
  await agree(t, 'kept', 'A', ['192.0.2.1', '192.0.2.5'])
})

void t.test('many at once: all or none', async (t) => {
  await add('A', 'old', '192.0.2.1')
  const rrsets = [
    { name: 'one', recordType: 'A', values: ['192.0.2.1', '192.0.2.2'] },
    { name: 'two', recordType: 'TXT', values: ['hello'], ttl: 60 },
    { name: 'old', recordType: 'A', values: [] },
  ]
  const done = await admin.post(batch, { rrsets })
  t.match(done, { status: 200, body: { applied: true, creates: [{ index: 0 }, { index: 0 }, { index: 1 }] } })
  t.match(done.body.deletes, [{ index: 2 }])
  await agree(t, 'one', 'A', ['192.0.2.1', '192.0.2.2'])
  await agree(t, 'old', 'A', [])
  t.match((await admin.post(batch, { rrsets })).body, { changeId: null })

  const bad = [rrsets[0], { name: 'three', recordType: 'A', values: ['no address'] }]
  t.match(await admin.post(batch, { rrsets: bad }), {
    status: 400,
    body: { errors: [{ path: '/rrsets/1/value' }] },
  })
  const clash = [
    { name: 'new', recordType: 'A', values: ['192.0.2.1'] },
    { name: 'one', recordType: 'CNAME', values: ['other.example.net'] },
  ]
  t.match(await admin.post(batch, { rrsets: clash }), { status: 409, body: { conflicts: [{ index: 1 }] } })
  await agree(t, 'new', 'A', [])
})

void t.test('errors name the field', async (t) => {
  const url = at('bad', 'A')
  const cases: [body: object, path: string][] = [
    [{ values: ['192.0.2.1', 'no address'] }, '/values/1'],
    [{ values: [] }, '/values'],
    [{}, '/values'],
    [{ values: ['192.0.2.1'], ttl: -1 }, '/ttl'],
    [{ values: ['192.0.2.1'], tll: 60 }, '/tll'],
  ]
  for (const [body, path] of cases) {
    t.match(await admin.put(url, body), { status: 400, body: { errors: [{ path }] } }, JSON.stringify(body))
  }
  t.match(await admin.put(at('a..b', 'A'), { values: ['192.0.2.1'] }), {
    status: 400,
    body: { errors: [{ path: '/name' }] },
  })
  t.equal((await admin.put(at('bad', 'NOPE'), { values: ['192.0.2.1'] })).status, 400)
  await add('CNAME', 'alias', 'other.example.net')
  t.match(await admin.put(at('alias', 'A'), { values: ['192.0.2.1'] }), {
    status: 409,
    body: { reason: /./ },
  })
})

void t.test('a delegate writes what was delegated, and sees nothing else', async (t) => {
  await zone.addUser('ada')
  const assigned = await admin.post('/api/assignments', {
    domainId,
    username: 'ada',
    subdomainPattern: 'mine',
    permission: 'write',
    recordTypes: ['A'],
  })
  t.equal(assigned.status, 201)
  const ada = await zone.signIn('ada')
  await add('A', 'secret', '192.0.2.1')
  putThere('unseen', 'A', '198.51.100.7')
  t.equal((await ada.put(at('mine', 'A'), { values: ['192.0.2.1'] })).status, 201)
  t.equal((await ada.get(at('mine', 'A'))).status, 200)
  for (const [name, type] of [
    ['secret', 'A'],
    ['unseen', 'A'],
    ['mine', 'TXT'],
  ] as const) {
    t.equal((await ada.get(at(name, type))).status, 404)
    const values = [type === 'A' ? '192.0.2.66' : 'text']
    const put = await ada.put(at(name, type), { values })
    t.equal(put.status, 403)
    t.notMatch(JSON.stringify(put.body), /198\.51|192\.0\.2\.1/)
    const conditional = await ada.put(at(name, type), { values }, { headers: { 'if-none-match': '*' } })
    t.equal(conditional.status, 403, 'does not tell whether it exists')
    t.equal((await ada.delete(at(name, type))).status, 403)
  }
  t.same(there('secret', 'A'), ['192.0.2.1'])
  t.same(there('unseen', 'A'), ['198.51.100.7'])
})
