import { sql } from 'kysely'
import t from 'tap'
import { planChanges } from '../../../modules/records/plan/plan.ts'
import { startZone } from '../../helpers/zone.ts'
import { create, state, zone as facts } from '../plan/plan-cases.ts'

/* Records that are kept without being served. */
const zone = await startZone(t)
const { admin, fake, domainId, url } = zone
const sync = () => admin.post(`/api/domains/${domainId}/sync`)
const lastChange = async () => (await admin.get(`/api/domains/${domainId}/changes`)).body.changes[0]
const revert = async () => admin.post(`/api/domains/${domainId}/changes/${(await lastChange()).id}/revert`)

/** Puts an RRset at the provider; contents that begin with "-" are disabled. */
const put = (name: string, type: string, ...contents: string[]) => {
  const records = contents.map((text) => ({
    content: text.replace(/^-/, ''),
    disabled: text.startsWith('-'),
  }))
  fake.patch('example.com', [
    {
      name: `${name}.example.com.`,
      type,
      ttl: 300,
      changetype: records.length ? 'REPLACE' : 'DELETE',
      records,
    },
  ])
}
/** What is there, in the same notation. */
const at = (name: string, type: string) =>
  (
    fake.dump('example.com').find((set) => set.name === `${name}.example.com.` && set.type === type)
      ?.records ?? []
  )
    .map(({ content, disabled }) => `${disabled ? '-' : ''}${content}`)
    .sort()
const find = async (name: string) => {
  const { body } = await admin.get(`${url}?search=${name}`)
  return (body.records as { id: string; value: string; enabled: boolean }[]).sort((a, b) =>
    a.value < b.value ? -1 : 1,
  )
}

void t.test('a sync imports disabled records, and changes keep them', async (t) => {
  put('www', 'A', '192.0.2.1', '-192.0.2.2', '-192.0.2.3')
  t.match(await sync(), { status: 200, body: { synced: 3, created: 3 } })
  t.match(await sync(), { body: { created: 0, updated: 0, deleted: 0, unchanged: 3 } })
  const [first, second] = await find('www')
  t.match(await find('www'), [{ enabled: true }, { enabled: false }, { enabled: false }])

  await zone.add('A', 'www', '192.0.2.4')
  t.same(at('www', 'A'), ['-192.0.2.2', '-192.0.2.3', '192.0.2.1', '192.0.2.4'])
  t.match(await admin.put(`${url}/${first?.id}`, { value: '192.0.2.5', ttl: 600 }), { status: 200 })
  t.same(at('www', 'A'), ['-192.0.2.2', '-192.0.2.3', '192.0.2.4', '192.0.2.5'])
  t.match(await sync(), { body: { created: 0, updated: 0, deleted: 0 } }, 'TTLs are aligned there too')

  t.match(await admin.put(`${url}/${second?.id}`, { value: '192.0.2.6' }), { body: { enabled: false } })
  t.same(at('www', 'A'), ['-192.0.2.3', '-192.0.2.6', '192.0.2.4', '192.0.2.5'])
  t.match(await admin.delete(`${url}/${second?.id}`), { status: 204 })
  t.same(at('www', 'A'), ['-192.0.2.3', '192.0.2.4', '192.0.2.5'])
  t.match(await revert(), { body: { creates: [{ after: { value: '192.0.2.6', enabled: false } }] } })
  t.same(at('www', 'A'), ['-192.0.2.3', '-192.0.2.6', '192.0.2.4', '192.0.2.5'])

  put('www', 'A', '-192.0.2.4', '192.0.2.5', '-192.0.2.3', '192.0.2.6')
  await admin.put(`${url}/${first?.id}`, { ttl: 900 })
  t.same(at('www', 'A'), ['-192.0.2.3', '-192.0.2.4', '192.0.2.5', '192.0.2.6'], 'as others left them')
  const { body } = await sync()
  t.match(body, { updated: 2, difference: { updated: [{ before: {}, after: {} }, {}] } })
  t.match((await lastChange()).items, [{ before: { enabled: true }, after: { enabled: false } }, {}])
})

void t.test('a record is created disabled, enabled, disabled again, and reverted', async (t) => {
  const made = await zone.add('A', 'off', '192.0.2.1', { enabled: false })
  t.match(made, { enabled: false, version: 1 })
  t.same(at('off', 'A'), ['-192.0.2.1'])
  t.match(await admin.post(url, { recordType: 'A', name: 'off', value: '192.0.2.1' }), {
    status: 409,
    body: { detail: /already exists and is disabled/, record: { id: made.id, enabled: false } },
  })
  const path = `${url}/${made.id}`
  t.match(await admin.put(path, { ttl: 600 }), { body: { ttl: 600, enabled: false } })
  t.match(await admin.put(path, { enabled: true }), { status: 200, body: { enabled: true, version: 3 } })
  t.same(at('off', 'A'), ['192.0.2.1'])
  t.match((await lastChange()).items, [{ before: { enabled: false }, after: { enabled: true } }])
  t.match(await revert(), { body: { updates: [{ after: { enabled: false } }], applied: true } })
  t.same(at('off', 'A'), ['-192.0.2.1'])
  t.match(await admin.put(path, { enabled: 'no' }), { status: 400 })
  const planned = await admin.post(`${url}/plan`, {
    changes: [{ action: 'update', recordId: made.id, enabled: true }],
  })
  t.match(planned.body.updates, [{ before: { enabled: false }, after: { enabled: true } }])
  const bulk = await admin.post(`${url}/bulk`, {
    records: [{ recordType: 'TXT', name: 'off', value: 'x', enabled: false }],
  })
  t.match(bulk.body, { succeeded: 1 })
  t.same(at('off', 'TXT'), ['-"x"'])
})

void t.test('a disabled record does not conflict with a CNAME and gives no warnings', async (t) => {
  const old = await zone.add('A', 'site', '192.0.2.1')
  const swap = {
    changes: [
      { action: 'update', recordId: old.id, enabled: false },
      { action: 'create', recordType: 'CNAME', name: 'site', value: 'www.example.com' },
    ],
  }
  t.match(await admin.post(`${url}/apply`, swap), {
    status: 200,
    body: { applied: true, warnings: { length: 0 } },
  })
  t.same([at('site', 'A'), at('site', 'CNAME')], [['-192.0.2.1'], ['www.example.com.']])
  t.match(await admin.put(`${url}/${old.id}`, { enabled: true }), {
    status: 409,
    body: { record: { recordType: 'CNAME' } },
  })
  t.match(await revert(), { status: 200, body: { applied: true } })
  t.same([at('site', 'A'), at('site', 'CNAME')], [['192.0.2.1'], []])

  const made = await zone.add('CNAME', 'away', 'www.example.com', { enabled: false })
  const pointing = await admin.post(url, { recordType: 'MX', name: 'm', value: '10 away.example.com' })
  t.match(pointing.body.warnings, [/does not exist in this zone/])
  await zone.add('A', 'away', '192.0.2.1')
  t.match(await admin.put(`${url}/${made.id}`, { enabled: true }), { status: 409 })
  // Turned round at the provider.
  put('away', 'A', '-192.0.2.1')
  put('away', 'CNAME', 'www.example.com.')
  t.match(await sync(), { status: 200, body: { updated: 2 } })
  t.match(await find('away'), [
    { value: '192.0.2.1', enabled: false },
    { value: 'www.example.com', enabled: true },
  ])
})

void t.test('the last NS at the apex cannot be disabled', async (t) => {
  const first = await zone.add('NS', '@', 'ns1.example.net')
  const second = await zone.add('NS', '@', 'ns2.example.net')
  t.match(await admin.put(`${url}/${first.id}`, { enabled: false }), { status: 200 })
  t.match(await admin.put(`${url}/${second.id}`, { enabled: false }), {
    status: 409,
    body: { detail: /last NS/ },
  })
  t.match(await admin.delete(`${url}/${second.id}`), { status: 409 })
  t.match(await admin.delete(`${url}/${first.id}`), { status: 204 })
})

void t.test('exports have them as comments; imports enable records of the file', async (t) => {
  put('file', 'A', '-192.0.2.1', '192.0.2.2')
  await sync()
  const { body: text } = await admin.get(`${url}/export`)
  t.match(text, /^file\t300\tIN\tA\t192\.0\.2\.2$/m)
  t.match(text, /^; Left out, as they are disabled: \d+ records$/m)
  t.match(text, /^; file\t300\tIN\tA\t192\.0\.2\.1$/m)
  const again = await admin.post(`${url}/import`, { zonefile: text, mode: 'replace' })
  t.match(again, {
    status: 200,
    body: { plan: { creates: { length: 0 }, updates: { length: 0 }, deletes: { length: 0 } } },
  })
  const enabling = await admin.post(`${url}/import`, { zonefile: 'file 300 IN A 192.0.2.1\n' })
  t.match(enabling.body.plan, { updates: [{ after: { value: '192.0.2.1', enabled: true } }] })
  t.same(at('file', 'A'), ['192.0.2.1', '192.0.2.2'])
})

void t.test('enabling a record needs write permission', async (t) => {
  const { id } = await zone.add('A', 'far', '192.0.2.1', { enabled: false })
  await zone.addUser('ada')
  const member = await zone.signIn('ada')
  const assignment = { userId: member.userId, domainId, subdomainPattern: 'far', recordTypes: ['TXT'] }
  t.match(await admin.post('/api/assignments', { ...assignment, permission: 'write' }), { status: 201 })
  t.match(await member.get(url), { body: { records: [{ id, enabled: false }] } })
  t.match(await member.put(`${url}/${id}`, { enabled: true }), { status: 403 })
  t.same(at('far', 'A'), ['-192.0.2.1'])
})

void t.test('a restore returns them as they were; older history is of enabled records', async (t) => {
  const { id } = await zone.add('A', 'past', '192.0.2.1', { enabled: false })
  const { db } = zone.database
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  await sql`update change_items set after = after - 'enabled' where record_id = ${id}`.execute(db)
  await admin.delete(`${url}/${id}`)
  const restored = await admin.post(`/api/domains/${domainId}/restore`, {
    at: rows[0]?.now.toISOString(),
    apply: true,
  })
  t.match(restored, { status: 200, body: { creates: [{ after: { name: 'past', enabled: false } }] } })
  t.same(at('past', 'A'), ['-192.0.2.1'])
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=3`)
  t.match(body.changes[2].items, [{ after: { name: 'past', enabled: true } }])
})

void t.test('a provider without disabled records', async (t) => {
  const serving = { ...facts, capabilities: { ...facts.capabilities, disabledRecords: false } }
  const update = { action: 'update', recordId: 'a', enabled: false } as const
  const plan = await planChanges(
    serving,
    [state('a www A 300 192.0.2.1')],
    [update, create('x', 'A', '192.0.2.1')],
  )
  t.match(plan.refusals, [{ index: 0, kind: 'invalid', errors: [{ path: '/enabled', message: /Test DNS/ }] }])
  t.equal(plan.steps.length, 1)
})
