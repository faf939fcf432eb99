import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addPowerDns, contentsAt, startFake, startZone } from '../helpers/zone.ts'
import { finished, imported, keepWaiting, LARGE, zonefile } from './large.ts'

/* Large copies to another provider. They change nothing of the domain, and so have no change in the history. */
const RECORDS = 505
const app = await startApp(t, { largeChange: LARGE })
const zone = await startZone(t, { app })
const { admin, domainId, database } = zone
await imported(zone, zonefile(RECORDS))
const target = await startFake(t)
const config = await addPowerDns(admin, target, 'target')
await admin.put(`/api/provider-configs/${config}`, { nameServers: ['ns1.example.net'] })
const copy = (more: object = {}) =>
  admin.post(`/api/domains/${domainId}/copy`, { providerConfigId: config, createZone: true, ...more })
const held = () => target.dump('example.com').filter(({ type }) => type === 'A').length
const NOTHING = { changeId: null, total: RECORDS }

void t.test('it goes on after the answer, and creates the zone then', async (t) => {
  t.match(await copy({ dryRun: true }), { status: 200, body: { plan: { creates: { length: RECORDS } } } })
  t.same(target.zoneNames(), [])
  // PowerDNS takes 500 names at a time: the second call goes wrong.
  let writes = 0
  const answer = { status: 422, body: '{"error":"not so"}', headers: { 'content-type': 'application/json' } }
  target.fail({ on: ({ method }) => method === 'PATCH' && ++writes === 2, kind: 'answer', answer })
  const first = await copy()
  t.match(first, {
    status: 202,
    headers: { location: `/api/operations/${first.body.operation.id}` },
    body: { operation: { kind: 'copy', total: RECORDS } },
  })
  t.match(await finished(admin, first.body.operation.id), {
    ...NOTHING,
    outcome: 'partly',
    done: 500,
    problem: { code: 'provider_rejected', detail: /500 of 505 changes were made/ },
  })
  t.match((await admin.get('/api/audit?action=domain.copied')).body.entries, [
    { after: { created: 500, failed: 5, leftOut: 0 } },
  ])
  const second = await copy()
  t.match(second, { status: 200, body: { plan: { applied: true, creates: { length: 5 } } } }, 'what is left')
  t.equal(held(), RECORDS)
})

void t.test('what an instance had begun when it died is ended by another', async (t) => {
  target.deleteZone('example.com')
  const go = await keepWaiting(zone)
  const { body } = await copy()
  target.createZone('example.com')
  const done = Array.from({ length: 300 }, (_, i) => ({
    name: `w${i}.example.com.`,
    type: 'A',
    ttl: 3600,
    changetype: 'REPLACE',
    records: [{ content: '192.0.2.1', disabled: false }],
  }))
  target.patch('example.com', done)
  const died = { state: 'running', holder: uuidv7(), tries: 1, done: 300 } as const
  await database.db.updateTable('operations').set(died).where('id', '=', body.operation.id).execute()
  const writes = target.requests.filter(({ method }) => method === 'PATCH').length
  await go()
  t.match(await finished(admin, body.operation.id), {
    outcome: 'succeeded',
    done: 205,
    total: 205,
    result: { plan: { creates: { length: 205 } }, zoneId: 'example.com.' },
  })
  t.equal(target.requests.filter(({ method }) => method === 'PATCH').length, writes + 1)
  t.same(contentsAt(target, 'example.com', 'w504', 'A'), ['192.0.2.1'])
  t.equal(held(), RECORDS)
})

void t.test('one at a time, and no switch meanwhile', async (t) => {
  target.deleteZone('example.com')
  const { promise, resolve } = Promise.withResolvers<void>()
  target.fail({ on: 'write', kind: 'late', until: () => promise })
  const { body } = await copy()
  const move = () => admin.post(`/api/domains/${domainId}/switch`, { providerConfigId: config, force: true })
  const answer = await until('the zone is made', async () => {
    const tried = await move()
    return tried.status !== 400 && tried
  })
  t.match(answer, { status: 409, body: { reason: 'copy_under_way' } })
  resolve()
  t.match(await finished(admin, body.operation.id), { outcome: 'succeeded' })
  t.match(await move(), { status: 200, body: { domain: { id: domainId } } })
})
