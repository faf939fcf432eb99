import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { hear } from '../helpers/events.ts'
import { until } from '../helpers/until.ts'
import { startZone, type Zone } from '../helpers/zone.ts'
import { finished, imported, importFile, keepWaiting, LARGE, zonefile } from './large.ts'

const app = await startApp(t, { largeChange: LARGE })
const heard = hear(app.app, 'operation.finished', 'operation.failed')
const zone = await startZone(t, { app })
const { admin, domainId, url } = zone

void t.test('a small change is done within its request', async (t) => {
  t.match(await importFile(zone, zonefile(LARGE)), { status: 200, body: { plan: { applied: true } } })
  t.match(await importFile(zone, zonefile(100, 'dry'), admin, { dryRun: true }), { status: 200 })
  t.match(
    await importFile(zone, 'a A 192.0.2\n'.repeat(9)),
    { status: 400 },
    'what is malformed is said at once',
  )
  t.match(await admin.get('/api/operations'), { status: 200, body: { operations: { length: 0 }, total: 0 } })
})

void t.test(
  '95. a large import, its revert and a restore go on after the answer, with the answer as result',
  async (t) => {
    const answer = await importFile(zone, `${zonefile(20, 'big')}\n@ SOA a. b. 1 2 3 4 5`)
    const { operation } = answer.body
    t.match(answer, { status: 202, headers: { location: `/api/operations/${operation.id}` } })
    const asked = { kind: 'import', domainId, domainName: 'example.com', actor: { name: 'root' } }
    t.match(operation, { ...asked, state: 'waiting', outcome: null, done: 0, total: 20, finishedAt: null })
    const over = await finished(admin, operation.id)
    t.match(over, { ...asked, state: 'finished', outcome: 'succeeded', done: 20, total: 20, problem: null })
    t.match(over, { startedAt: String, finishedAt: String, result: { skipped: [{ type: 'SOA' }] } })
    t.equal(over.result.plan.creates.length, 20)
    t.equal(over.result.plan.changeId, over.changeId)
    t.same(zone.there('big0', 'A'), ['192.0.2.1'])
    const metadata = { operationId: operation.id, kind: 'import', outcome: 'succeeded', done: 20, total: 20 }
    t.match(await heard(), [{ name: 'operation.finished', payload: { metadata, userIds: [admin.userId] } }])
    t.match(await admin.get('/api/notifications'), {
      body: { notifications: [{ event: 'operation.finished', metadata: { kind: 'import' } }] },
    })
    t.match(await admin.get('/api/audit?action=records.changed&limit=1'), {
      body: {
        entries: [{ actor: { name: 'root' }, ip: '127.0.0.1', after: { created: 20, source: 'import' } }],
      },
    })

    const moment = new Date().toISOString()
    const reverted = await admin.post(`/api/domains/${domainId}/changes/${over.changeId}/revert`)
    t.match(reverted, { status: 202, body: { operation: { kind: 'revert', total: 20 } } })
    const undone = await finished(admin, reverted.body.operation.id)
    t.match(undone, { outcome: 'succeeded', done: 20, result: { deletes: { length: 20 }, applied: true } })
    t.same(zone.there('big0', 'A'), [])

    const restored = await admin.post(`/api/domains/${domainId}/restore`, { at: moment, apply: true })
    t.match(restored, { status: 202, body: { operation: { kind: 'restore' } } })
    t.match(await finished(admin, restored.body.operation.id), { outcome: 'succeeded', done: 20 })
    t.same(zone.there('big0', 'A'), ['192.0.2.1'])

    const { body } = await admin.get('/api/operations?limit=2')
    t.match(body, { total: 3, operations: [{ kind: 'restore' }, { kind: 'revert' }] }, 'the newest first')
    t.notOk('result' in body.operations[0])
  },
)

void t.test('95. how far it is can be seen', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  // The second call of the provider, which takes 500 names at a time.
  let writes = 0
  zone.fake.fail({
    on: ({ method }) => method === 'PATCH' && ++writes === 2,
    kind: 'late',
    until: () => promise,
  })
  const { body } = await importFile(zone, zonefile(600, 'p'))
  const { id } = body.operation
  const is = async () => (await admin.get(`/api/operations/${id}`)).body
  t.match(await until('progress', async () => ((await is()).done > 0 ? is() : null)), {
    state: 'running',
    outcome: null,
    done: 500,
    total: 600,
    changeId: String,
    result: null,
  })
  resolve()
  t.match(await finished(admin, id), { outcome: 'succeeded', done: 600 })
})

void t.test('a key makes a repeat the same operation', async (t) => {
  const options = { headers: { 'idempotency-key': 'once' } }
  const ask = () => admin.post(`${url}/import`, { zonefile: zonefile(10, 'key') }, options)
  const [first, again] = [await ask(), await ask()]
  t.match(again, {
    status: 202,
    headers: { location: first.headers['location'], 'idempotency-replayed': 'true' },
  })
  t.same(again.body, first.body)
  t.match(await finished(admin, first.body.operation.id), { outcome: 'succeeded', done: 10 })
})

void t.test('one that finds everything done has done all of it', async (t) => {
  const go = await keepWaiting(zone)
  const [first, same] = [
    await importFile(zone, zonefile(8, 'same')),
    await importFile(zone, zonefile(8, 'same')),
  ]
  await go()
  t.match(await finished(admin, first.body.operation.id), { outcome: 'succeeded', done: 8, total: 8 })
  t.match(await finished(admin, same.body.operation.id), { outcome: 'succeeded', done: 8, total: 8 })
})

void t.test('what stands against it is its problem', async (t) => {
  await zone.add('CNAME', 'c3', 'target.example.net')
  const { id, problem, ...over } = await imported(zone, zonefile(10, 'c'))
  t.match(over, { state: 'finished', outcome: 'failed', done: 0, changeId: null, result: null })
  t.match(problem, { status: 409, code: 'conflict', conflicts: [{ kind: 'conflict' }] })
  t.same(zone.there('c0', 'A'), [], 'nothing of it was done')
  t.match((await heard()).at(-1), { name: 'operation.failed', payload: { metadata: { operationId: id } } })
})

void t.test(
  'only who asked and administrators see one, and only while they see what it is about',
  async (t) => {
    await Promise.all([app.addUser('ada'), app.addUser('bob')])
    const [ada, bob] = await Promise.all([app.signIn('ada'), app.signIn('bob')])
    const given = { userId: ada.userId, domainId, permission: 'write', subdomainPattern: '*.ada' }
    const assignment = await admin.post('/api/assignments', given)
    const { body } = await importFile(zone, zonefile(10, 'h', '.ada'), ada)
    const path = `/api/operations/${body.operation.id}`
    t.match(await finished(ada, body.operation.id), { result: { plan: Object } })
    t.match(await bob.get(path), { status: 404 })
    t.match(await bob.get('/api/operations'), { body: { total: 0 } })
    t.match(await admin.get(path), { status: 200, body: { actor: { name: 'ada' }, result: Object } })
    t.match(await admin.get('/api/operations?limit=1'), {
      body: { operations: [{ actor: { name: 'root' } }] },
    })
    const narrower = { ...given, subdomainPattern: 'other' }
    await admin.post('/api/assignments', narrower)
    await admin.delete(`/api/assignments/${assignment.body.id}`)
    t.match(await ada.get(path), { status: 200, body: { outcome: 'succeeded', result: null } })
  },
)

void t.test('rights count when it is done, too', async (t) => {
  const own = await startZone(t, { app, name: 'example.net' })
  await app.addUser('eve')
  const eve = await app.signIn('eve')
  const given = { userId: eve.userId, domainId: own.domainId, permission: 'write' }
  const assignment = await admin.post('/api/assignments', given)
  const go = await keepWaiting(own)
  const first = await importFile(own, zonefile(10, 'a'), eve)
  await admin.delete(`/api/assignments/${assignment.body.id}`)
  await go()
  t.match(
    await finished(eve, first.body.operation.id),
    { outcome: 'failed', problem: null },
    'not seen any more',
  )
  t.match(await finished(admin, first.body.operation.id), { problem: { status: 404 } })

  await admin.post('/api/assignments', given)
  const goAgain = await keepWaiting(own)
  const second = await importFile(own, zonefile(10, 'b'), eve)
  await admin.put(`/api/users/${eve.userId}`, { disabled: true })
  await goAgain()
  t.match(await finished(admin, second.body.operation.id), {
    outcome: 'failed',
    problem: { code: 'forbidden' },
  })
  t.same(await own.here(), [])
})

void t.test('95. one after another in a domain, and not too many of one user', async (t) => {
  const own = await startZone(t, { app, name: 'example.org' })
  const go = await keepWaiting(own)
  const asked = []
  for (let i = 0; i < 10; i++) asked.push((await importFile(own, zonefile(6, `n${i}x`))).body.operation.id)
  t.match(await importFile(own, zonefile(6, 'more')), { status: 429, headers: { 'retry-after': String } })
  await go()
  const ends: { outcome: string; startedAt: string; finishedAt: string }[] = []
  for (const id of asked) ends.push(await finished(admin, id))
  t.ok(ends.every(({ outcome }) => outcome === 'succeeded'))
  t.ok(ends.every(({ startedAt }, i) => startedAt >= (ends[i - 1]?.finishedAt ?? '')))
})

void t.test('95. those of one user wait for each other, and not those of others for them', async (t) => {
  const own = []
  for (const name of ['one.example', 'two.example', 'three.example'])
    own.push(await startZone(t, { app, name }))
  const [slow, second, others] = own as [Zone, Zone, Zone]
  await app.addUser('eva', 'admin')
  const eva = await app.signIn('eva')
  const { promise, resolve } = Promise.withResolvers<void>()
  slow.fake.fail({ on: 'write', kind: 'late', until: () => promise })
  const first = (await importFile(slow, zonefile(10))).body.operation.id
  await until('it is sent', () => slow.writes() > 0)
  const next = (await importFile(second, zonefile(10))).body.operation.id
  const hers = (await importFile(others, zonefile(10), eva)).body.operation.id
  t.match(await finished(eva, hers), { outcome: 'succeeded' })
  t.match(await admin.get(`/api/operations/${next}`), { body: { state: 'waiting' } })
  resolve()
  t.match(await finished(admin, first), { outcome: 'succeeded' })
  t.match(await finished(admin, next), { outcome: 'succeeded' })
})
