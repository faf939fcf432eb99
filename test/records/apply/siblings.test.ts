import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { call } from '../../helpers/app.ts'
import { addManual, startZone } from '../../helpers/zone.ts'

/* Values at the provider that this service never read: whole sets end without them, single writes say that they are there. */
const zone = await startZone(t)
const { admin, app, there, putThere, here, url, domainId, add } = zone
const OLD = '198.51.100.7'

const valuesHere = async (name: string, type: string) =>
  (await here())
    .filter((one) => one.startsWith(`${name} ${type} `))
    .map((one) => one.split(' ').slice(2).join(' '))

/** Provider and list agree, and the next look finds no difference in what it was about. */
async function agree(t: Test, name: string, type: string, values: string[]) {
  t.same(there(name, type), values, 'at the provider')
  t.same(
    await valuesHere(name, type),
    values.map((value) => value.replaceAll('"', '')),
    'in the list',
  )
  const { body } = await admin.post(`/api/domains/${domainId}/sync?dryRun=true`)
  t.match(body, { created: 0, updated: 0, deleted: 0 }, 'the next sync finds nothing')
}

const changes = async () => (await admin.get(`/api/domains/${domainId}/changes?limit=5`)).body.changes
const tokenFor = async (permissions: string[]) =>
  (await admin.post('/api/auth/me/tokens', { name: 'program', permissions })).body.token as string
const codes = (warnings: { code: string }[]) => warnings.map(({ code }) => code)

void t.test('a single write keeps unknown values, warns about them and stores them as drift', async (t) => {
  putThere('one', 'A', OLD)
  const body = { changes: [{ action: 'create', recordType: 'A', name: 'one', value: '192.0.2.1', ttl: 300 }] }
  const plan = await admin.post(`${url}/plan`, body)
  t.match(plan.body.warnings, [
    { index: 0, code: 'unknown_siblings', params: { name: 'one', recordType: 'A', count: 1, values: OLD } },
  ])
  t.same(await valuesHere('one', 'A'), [], 'a plan stores nothing')
  const done = await admin.post(`${url}/apply`, body)
  t.match(done.body, { applied: true, warnings: [{ index: 0, code: 'unknown_siblings' }] })
  await agree(t, 'one', 'A', ['192.0.2.1', OLD])
  t.match(await changes(), [
    { source: 'sync', items: [{ action: 'create', after: { value: OLD } }] },
    { source: 'apply' },
  ])
  const next = { changes: [{ action: 'create', recordType: 'A', name: 'one', value: '192.0.2.2' }] }
  t.same(codes((await admin.post(`${url}/plan`, next)).body.warnings), [], 'known by now')

  putThere('single', 'TXT', '"theirs"')
  const made = await admin.post(url, { recordType: 'TXT', name: 'single', value: 'ours', ttl: 300 })
  t.match(made, { status: 201, body: { warnings: [/theirs/] } })
  await agree(t, 'single', 'TXT', ['"ours"', '"theirs"'])
})

void t.test('an update and a delete keep unknown values as well', async (t) => {
  const { id, version } = await add('A', 'two', '192.0.2.1')
  putThere('two', 'A', OLD)
  const moved = await admin.put(`${url}/${id}`, { value: '192.0.2.2', version })
  t.match(moved, { status: 200, body: { warnings: [/198\.51\.100\.7/] } })
  await agree(t, 'two', 'A', ['192.0.2.2', OLD])
  putThere('two', 'A', '198.51.100.8')
  t.equal((await admin.delete(`${url}/${id}`)).status, 204)
  await agree(t, 'two', 'A', [OLD, '198.51.100.8'])
})

void t.test('dynamic DNS leaves exactly its address', async (t) => {
  const token = await tokenFor(['ddns:update'])
  const update = async (hostname: string, myip: string) => {
    const authorization = `Basic ${Buffer.from(`root:${token}`).toString('base64')}`
    const answer = await app.inject({
      url: '/nic/update',
      query: { hostname, myip },
      headers: { authorization },
    })
    return answer.body.trim()
  }
  putThere('home', 'A', OLD)
  t.equal(await update('home.example.com', '192.0.2.5'), 'good 192.0.2.5')
  await agree(t, 'home', 'A', ['192.0.2.5'])
  const [ddns, sync] = await changes()
  t.match(sync, { source: 'sync', items: [{ action: 'create', after: { value: OLD } }] })
  t.match(ddns, { source: 'ddns', items: [{ before: { value: OLD }, after: { value: '192.0.2.5' } }] })
  putThere('home', 'A', '198.51.100.8')
  t.equal(await update('home.example.com', '192.0.2.6'), 'good 192.0.2.6')
  await agree(t, 'home', 'A', ['192.0.2.6'])
  const restored = await admin.post(`/api/domains/${domainId}/changes/${ddns.id}/revert`)
  t.equal(restored.status, 409, 'the history knows what came after')
})

void t.test('a set has exactly its values, however it is planned', async (t) => {
  await add('A', 'set', '192.0.2.1', { comment: 'stays' })
  putThere('set', 'A', OLD)
  const set = (values: string[], more: object = {}) => ({
    changes: [{ action: 'set', recordType: 'A', name: 'set', values, ...more }],
  })
  const plan = await admin.post(`${url}/plan`, { ...set(['192.0.2.1', '192.0.2.2']), keep: true })
  t.match(plan.body, { updates: [{ index: 0, before: { value: OLD }, after: { value: '192.0.2.2' } }] })
  t.same(plan.body.deletes, [])
  putThere('set', 'A', '198.51.100.8')
  const late = await admin.post(`${url}/apply`, { planId: plan.body.planId })
  t.match(late, {
    status: 409,
    body: { reason: 'unknown_siblings', params: { name: 'set', recordType: 'A', values: '198.51.100.8' } },
  })
  const again = await admin.post(`${url}/plan`, { ...set(['192.0.2.1', '192.0.2.2']), keep: true })
  t.match(again.body, { updates: [{}], deletes: [{}] })
  t.match((await admin.post(`${url}/apply`, { planId: again.body.planId })).body, { applied: true })
  await agree(t, 'set', 'A', ['192.0.2.1', '192.0.2.2'])
  t.match((await admin.get(`${url}?search=set`)).body.records, [{ value: '192.0.2.1', comment: 'stays' }, {}])

  t.match((await admin.post(`${url}/apply`, set(['192.0.2.1', '192.0.2.2']))).body, { changeId: null })
  putThere('set', 'A', OLD)
  t.match((await admin.post(`${url}/apply`, set(['192.0.2.3'], { ttl: 60 }))).body, { applied: true })
  await agree(t, 'set', 'A', ['192.0.2.3'])
  t.match(await admin.post(`${url}/apply`, set(['no address'])), {
    status: 400,
    body: { errors: [{ path: '/changes/0/value' }] },
  })
  t.equal((await admin.post(`${url}/apply`, set([]))).status, 400)
})

void t.test('importing a zone file replaces unknown values', async (t) => {
  putThere('file', 'A', OLD)
  putThere('elsewhere', 'TXT', '"theirs"')
  const text = '@ 300 IN NS ns1.example.net.\nfile 300 IN A 192.0.2.1\n'
  const headers = { 'content-type': 'text/dns' }
  const plan = await admin.put(`/api/domains/${domainId}/zone`, text, { headers })
  const deletes = plan.body.plan.deletes as { before: { value: string } }[]
  const going = new Set(deletes.map(({ before }) => before.value))
  t.ok(going.has(OLD) && going.has('theirs'))
  const done = await admin.put(`/api/domains/${domainId}/zone?apply=true`, text, { headers })
  t.match(done, { status: 200, body: { plan: { applied: true } } })
  await agree(t, 'file', 'A', ['192.0.2.1'])
  await agree(t, 'elsewhere', 'TXT', [])
})

void t.test('ACME: cleanup removes an unknown value; acme-dns keeps only its two values', async (t) => {
  const token = await tokenFor(['acme:challenge'])
  const value = (seed: string) => createHash('sha256').update(seed).digest('base64url')
  const authorization = `Basic ${Buffer.from(`root:${token}`).toString('base64')}`
  const post = (path: string, payload: object, headers: Record<string, string> = { authorization }) =>
    call(app, { method: 'POST', url: `/api/v1/${path}`, payload, headers })
  putThere('_acme-challenge.www', 'TXT', `"${value('1')}"`)
  putThere('_acme-challenge.www', 'TXT', '"of somebody else"')
  const fqdn = '_acme-challenge.www.example.com.'
  t.equal((await post('acme/cleanup', { fqdn, value: value('1') })).status, 200)
  await agree(t, '_acme-challenge.www', 'TXT', ['"of somebody else"'])
  const { body: own } = await post('acme-dns/example.com/register', {})
  const name = own.fulldomain.replace('.example.com', '')
  putThere(name, 'TXT', '"left over"')
  const keys = { 'x-api-user': own.username, 'x-api-key': own.password }
  t.equal((await post('acme-dns/update', { subdomain: own.subdomain, txt: value('2') }, keys)).status, 200)
  await agree(t, name, 'TXT', [`"${value('2')}"`])
})

void t.test('a failing provider does not prevent a plan, but the write of a whole RRset', async (t) => {
  const answer = { status: 500, body: '{}' }
  zone.fake.fail({ kind: 'answer', answer, times: Infinity })
  t.teardown(() => zone.fake.heal())
  const create = { changes: [{ action: 'create', recordType: 'A', name: 'away', value: '192.0.2.1' }] }
  t.match(await admin.post(`${url}/plan`, create), { status: 200, body: { creates: [{}] } })
  const set = { changes: [{ action: 'set', recordType: 'A', name: 'away', values: ['192.0.2.1'] }] }
  t.match(await admin.post(`${url}/apply`, set), { status: 502, body: { code: 'provider_error' } })
  zone.fake.heal()
  t.same(there('away', 'A'), [])
})

void t.test('a domain whose records are only here has no unknown values', async (t) => {
  const configId = await addManual(admin, 'by hand')
  const { body } = await admin.post('/api/domains', { name: 'manual.example', providerConfigId: configId })
  const set = { changes: [{ action: 'set', recordType: 'A', name: 'www', values: ['192.0.2.1'] }] }
  t.match((await admin.post(`/api/domains/${body.id}/records/apply`, set)).body, {
    applied: true,
    creates: [{}],
  })
})

void t.test('a value added between the read and the write', async (t) => {
  const comesDuringLook = (value: string) =>
    zone.fake.fail({ kind: 'late', on: 'read', until: async () => putThere('race', 'A', value) })
  await add('A', 'race', '192.0.2.1')
  comesDuringLook(OLD)
  const set = { changes: [{ action: 'set', recordType: 'A', name: 'race', values: ['192.0.2.2'] }] }
  const answer = await admin.post(`${url}/apply`, set)
  t.match(answer, { status: 409, body: { reason: 'unknown_siblings', params: { values: OLD } } })
  await agree(t, 'race', 'A', ['192.0.2.1', OLD])
  t.match(await changes(), [{ source: 'sync' }, { source: 'apply', status: 'failed' }])

  const token = await tokenFor(['ddns:update'])
  comesDuringLook('198.51.100.9')
  const authorization = `Basic ${Buffer.from(`root:${token}`).toString('base64')}`
  const query = { hostname: 'race.example.com', myip: '192.0.2.3' }
  const updated = await app.inject({ url: '/nic/update', query, headers: { authorization } })
  t.equal(updated.body, 'good 192.0.2.3\n', 'made anew')
  await agree(t, 'race', 'A', ['192.0.2.3'])
})

void t.test('a delegate gets warnings only about RRsets they see', async (t) => {
  await zone.addUser('ada')
  const assigned = await admin.post('/api/assignments', {
    domainId,
    username: 'ada',
    subdomainPattern: 'mine',
    permission: 'write',
    recordTypes: ['A'],
  })
  t.equal(assigned.status, 201)
  const client = await zone.signIn('ada')
  putThere('mine', 'A', OLD)
  putThere('mine', 'TXT', '"theirs"')
  putThere('secret', 'A', OLD)
  const create = { action: 'create', recordType: 'A', name: 'mine', value: '192.0.2.1' }
  const plan = await client.post(`${url}/plan`, { changes: [create] })
  t.match(plan.body.warnings, [{ code: 'unknown_siblings', params: { name: 'mine', recordType: 'A' } }])
  t.notOk(JSON.stringify(plan.body).includes('theirs'))
  const secret = { action: 'set', recordType: 'A', name: 'secret', values: ['192.0.2.1'] }
  for (const step of ['plan', 'apply']) {
    const { body } = await client.post(`${url}/${step}`, { changes: [secret] })
    t.notOk(JSON.stringify(body).includes(OLD), `${step} of a hidden set`)
  }
  t.same(await valuesHere('secret', 'A'), [], 'nor is it read for them')
  const set = { action: 'set', recordType: 'A', name: 'mine', values: ['192.0.2.2'] }
  t.match((await client.post(`${url}/apply`, { changes: [set] })).body, { applied: true })
  t.same(there('mine', 'A'), ['192.0.2.2'])
})
