import t from 'tap'
import { hear } from '../../helpers/events.ts'
import { until } from '../../helpers/until.ts'
import { addPowerDns, contentsAt, startFake, startZone } from '../../helpers/zone.ts'
import { startHosts } from '../move/hosts.ts'
import { mirrorsOf } from './mirrors.ts'

/* A domain at several providers: each change is applied at the first, and then at the mirrors in order. */

const zone = await startZone(t)
const { admin, domainId, database } = zone
const { db } = database
const url = `/api/domains/${domainId}`
const heard = hear(
  zone.app,
  'domain.mirror_failed',
  'domain.mirror_behind',
  'domain.mirror_differs',
  'domain.mirror_in_step',
)
const hosts = await startHosts(t, admin)
const other = await startFake(t)
other.createZone('example.com')
const otherConfig = await addPowerDns(admin, other, 'other')
const mirrors = mirrorsOf(zone)
const there = (name: string, type: string) => contentsAt(other, 'example.com', name, type)

await zone.add('A', 'www', '192.0.2.1', { ttl: 300 })
await zone.add('A', 'www', '192.0.2.2', { ttl: 300 })
await zone.add('MX', '@', '10 mail.example.net', { ttl: 7200 })

let first = ''

void t.test('the records are brought over, and later changes follow', async (t) => {
  t.match(await admin.post(`${url}/mirrors`, { providerConfigId: hosts.ids.desec }), {
    status: 400,
    body: { errors: [{ code: 'zone_missing' }] },
  })
  const added = await admin.post(`${url}/mirrors`, { providerConfigId: otherConfig })
  t.match(added, {
    status: 201,
    body: { state: 'behind', behind: 1, providerName: 'PowerDNS', zoneId: 'example.com.', findings: [] },
  })
  first = added.body.id
  await mirrors.inStep(first)
  t.same(there('www', 'A'), ['192.0.2.1', '192.0.2.2'])
  t.same(there('@', 'MX'), ['10 mail.example.net.'])

  const { id } = await zone.add('TXT', 'note', 'one', { ttl: 300 })
  await mirrors.inStep(first)
  t.same(there('note', 'TXT'), ['"one"'])
  await admin.put(`${zone.url}/${id}`, { value: 'two' })
  await mirrors.inStep(first)
  t.same(there('note', 'TXT'), ['"two"'])
  await admin.delete(`${zone.url}/${id}`)
  await mirrors.inStep(first)
  t.same(there('note', 'TXT'), [])
  const { body } = await admin.get(`${url}/mirrors`)
  t.match(body, { mirrors: [{ id: first, state: 'in_step', behind: 0, differences: 0 }] })
  t.same(await heard(), [])
})

void t.test('a provider that is down keeps the changes in order', async (t) => {
  other.fail({ kind: 'answer', answer: { status: 503 }, times: Infinity })
  const seen = other.requests.length
  for (const value of ['192.0.2.11', '192.0.2.12', '192.0.2.13'])
    await admin.post(zone.url, { recordType: 'A', name: `h${value.at(-1)}`, value, ttl: 300 })
  await until('a failed attempt', async () => (await mirrors.read(first)).error !== null)
  t.match(await mirrors.read(first), { state: 'behind', behind: 3, errorCode: 'provider_unavailable' })
  t.match(await admin.post(`${url}/mirrors/${first}/promote`, {}), {
    status: 409,
    body: { reason: 'mirror_behind' },
  })
  t.same(await heard(), [], 'not announced yet')
  await db
    .updateTable('mirror_changes')
    .set({ queued_at: new Date(Date.now() - 3_600_000) })
    .where('mirror_id', '=', first)
    .execute()
  await zone.app.work.run('mirrors.watch')
  t.match(await heard(), [{ name: 'domain.mirror_behind', payload: { metadata: { changes: 3 } } }])
  other.heal()
  await mirrors.retry(first, otherConfig)
  await mirrors.inStep(first)
  const writes = other.requests.slice(seen).filter(({ method }) => method === 'PATCH')
  t.same(
    writes
      .filter(({ body }) => body.includes('REPLACE'))
      .map(({ body }) => /"h(\d)\.example/.exec(body)?.[1]),
    ['1', '2', '3'],
  )
  t.match(await heard(), [{ name: 'domain.mirror_in_step' }])
})

void t.test('wrong credentials need a person, and are announced once', async (t) => {
  other.fail({ kind: 'answer', answer: { status: 401 }, times: Infinity })
  await zone.add('A', 'locked', '192.0.2.30')
  t.match(await mirrors.reaches(first, 'failed'), { errorCode: 'provider_auth', behind: 1 })
  await mirrors.retry(first, otherConfig)
  await until(
    'a second attempt',
    async () => Date.parse((await mirrors.read(first)).nextTry ?? '') > Date.now(),
  )
  t.match(await heard(), [
    { name: 'domain.mirror_failed', payload: { metadata: { errorCode: 'provider_auth' } } },
  ])
  other.heal()
  await mirrors.retry(first, otherConfig)
  await mirrors.inStep(first)
  t.match(await heard(), [{ name: 'domain.mirror_in_step' }])
  t.same(there('locked', 'A'), ['192.0.2.30'])
})

void t.test('a record that the provider refuses is a finding, and does not hold up the others', async (t) => {
  const refused = { status: 422, body: JSON.stringify({ error: 'no such records here' }) }
  other.fail({
    on: ({ method, body }) => method === 'PATCH' && body.includes('"bad.example.com."'),
    kind: 'answer',
    answer: refused,
    times: Infinity,
  })
  await zone.add('A', 'bad', '192.0.2.40')
  await zone.add('A', 'good', '192.0.2.41')
  const mirror = await mirrors.reaches(first, 'differs')
  t.match(mirror.findings, [{ name: 'bad', recordType: 'A', code: 'provider_rejected', missing: true }])
  await until('the other', () => there('good', 'A').length === 1)
  t.match(await heard(), [{ name: 'domain.mirror_differs', payload: { metadata: { differences: 1 } } }])
  t.match(await admin.post(`${url}/mirrors/${first}/promote`, {}), {
    status: 409,
    body: { reason: 'mirror_differs' },
  })
  other.heal()
  const synced = await admin.post(`${url}/mirrors/${first}/sync`)
  t.match(synced, {
    status: 200,
    body: {
      mirror: { state: 'in_step', findings: [] },
      plan: { applied: true, creates: [{}] },
      queued: false,
    },
  })
  t.same(there('bad', 'A'), ['192.0.2.40'])
  t.match(await heard(), [{ name: 'domain.mirror_in_step' }])
})

void t.test('what a provider can not say is a finding', async (t) => {
  const { id } = (await admin.post(`${url}/mirrors`, { providerConfigId: hosts.ids.desec, createZone: true }))
    .body
  const mirror = await mirrors.inStep(id)
  t.match(
    mirror.findings.find(({ name, recordType }) => name === 'www' && recordType === 'A'),
    { code: 'ttl_brought', missing: false },
  )
  t.match(await admin.get(`${url}/mirrors/${id}`), {
    body: { nameServers: ['ns1.desec.io', 'ns2.desec.org'] },
  })
  await admin.post(zone.url, { recordType: 'A', name: 'short', value: '192.0.2.50', ttl: 60 })
  await until('a finding', async () => (await mirrors.read(id)).findings.some(({ name }) => name === 'short'))
  const row = (await admin.get(`${zone.url}?search=short`)).body.records[0]
  await admin.put(`${zone.url}/${row.id}`, { ttl: 3600 })
  await until(
    'no finding',
    async () => !(await mirrors.read(id)).findings.some(({ name }) => name === 'short'),
  )
  t.match(await admin.delete(`${url}/mirrors/${id}`), { status: 204 })
  t.ok(hosts.desec.zoneNames().includes('example.com'), 'the zone stays')
  t.match(await admin.get(`${url}/mirrors/${id}`), { status: 404 })
})

void t.test('differences are found, and much is deleted only when confirmed', async (t) => {
  const held = other.zones.get('example.com')
  const rrset = (name: string) => ({
    name: `${name}.example.com.`,
    type: 'A',
    ttl: 300,
    changetype: 'REPLACE',
    records: [{ content: '198.51.100.1', disabled: false }],
  })
  held?.patch(Array.from({ length: 20 }, (_, i) => rrset(`more${i}`)))
  const compared = await admin.post(`${url}/mirrors/${first}/compare`)
  t.match(compared, {
    status: 200,
    body: { mirror: { state: 'differs', differences: 20 }, plan: { applied: false } },
  })
  t.equal(compared.body.plan.deletes.length, 20)
  const promote = await admin.post(`${url}/mirrors/${first}/promote`, {})
  t.match(promote, { status: 409, body: { reason: 'mirror_differs' } })
  t.match(await admin.post(`${url}/mirrors/${first}/sync`), {
    status: 409,
    body: { code: 'confirmation_required', deleted: 20 },
  })
  t.same(there('more1', 'A'), ['198.51.100.1'])
  t.match(await admin.post(`${url}/mirrors/${first}/sync?force=true`), {
    status: 200,
    body: { mirror: { state: 'in_step' } },
  })
  t.same(there('more1', 'A'), [])
})

void t.test('promoting swaps both, and changes no record', async (t) => {
  const ids = async () =>
    (await admin.get(`${zone.url}?limit=200`)).body.records.map(({ id }: { id: string }) => id).sort()
  const before = await ids()
  const isWrite = ({ method }: { method: string }) => method !== 'GET'
  const writes = () => [zone.fake, other].map(({ requests }) => requests.filter(isWrite).length)
  const written = writes()
  t.match(await admin.post(`${url}/mirrors/${first}/promote`, {}), {
    status: 200,
    body: { mirrorId: first, domain: { providerConfigId: otherConfig }, created: 0, deleted: 0 },
  })
  t.same(await ids(), before)
  t.same(writes(), written)
  t.match(await mirrors.read(first), { state: 'in_step', providerConfigId: zone.configId })
  await zone.add('A', 'after', '192.0.2.60')
  t.same(there('after', 'A'), ['192.0.2.60'])
  await mirrors.inStep(first)
  t.same(zone.there('after', 'A'), ['192.0.2.60'])
})

void t.test('a provider that limits the rate is left alone as long as it asks', async (t) => {
  const limited = await startFake(t)
  limited.createZone('example.com')
  const config = await addPowerDns(admin, limited, 'limited')
  const { id } = (await admin.post(`${url}/mirrors`, { providerConfigId: config })).body
  await mirrors.inStep(id)
  const answer = { status: 429, headers: { 'retry-after': '600' } }
  limited.fail({ kind: 'answer', answer, times: Infinity })
  await zone.add('A', 'limited', '192.0.2.20')
  const mirror = await until('a failed attempt', async () => {
    const now = await mirrors.read(id)
    return now.error !== null && now
  })
  t.match(mirror, { state: 'behind', behind: 1, errorCode: 'provider_rate_limited' })
  const pause = Date.parse(mirror.nextTry ?? '') - Date.now()
  t.ok(pause > 500_000 && pause < 610_000, `${pause} ms`)
  const calls = limited.requests.length
  await zone.add('A', 'limited2', '192.0.2.21')
  await mirrors.inStep(first)
  t.match(await mirrors.read(id), { state: 'behind', behind: 2 })
  t.equal(limited.requests.length, calls)
})
