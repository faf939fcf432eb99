import t from 'tap'
import { hear } from '../helpers/events.ts'
import { until } from '../helpers/until.ts'
import { FAST, settings, startFailingZone, type Monitor } from './failing-zone.ts'

const zone = await startFailingZone(t)
const { app, admin, domainId, there, primary, backup, third, port, watch, when, read, monitors } = zone
const heard = hear(app, 'failover.switched', 'failover.back', 'failover.failed', 'failover.paused')
const FINE = { status: 200, body: 'all fine', hangs: false }
const BROKEN = { ...FINE, status: 503 }
const isUp = ({ alternatives }: Monitor) => alternatives.every(({ health }: Monitor) => health === 'up')
const url = (id: string) => `/api/failover-monitors/${id}`
const mend = () => {
  for (const target of [primary, backup, third]) target.answers = FINE
}

t.afterEach(async () => {
  mend()
  for (const { id } of (await admin.get(monitors)).body.monitors) await admin.delete(url(id))
  await heard()
})

void t.test('switches to the backup and back, each as one change', async (t) => {
  const { id } = await watch('www', { name: 'www' })
  const ready = await when(id, 'both up', isUp)
  t.match(ready, {
    state: 'preferred',
    active: 'primary',
    instances: 1,
    alternatives: [
      { isActive: true, health: 'up', instancesUp: 1, reason: null },
      { isActive: false, health: 'up' },
    ],
    check: { kind: 'http', host: 'www.example.com', path: '/health', status: [] },
    warnings: [{ code: 'failover_ttl', params: { ttl: 60 } }],
  })
  t.ok(ready.alternatives[0].latencyMs >= 0)
  t.ok(ready.alternatives[0].history.length >= 2)
  t.ok(Date.parse(ready.nextCheckAt) > Date.parse(ready.checkedAt))
  t.equal(primary.hosts.at(-1), `www.example.com:${port}`, 'the Host header is that of the name')

  primary.answers = BROKEN
  const over = await when(id, 'switched', ({ state }) => state === 'failed_over')
  t.same(there('www', 'A'), [backup.address])
  t.match(over, { active: 'backup', switchedBy: 'failure', paused: null, problem: null })
  const change = await admin.get(`/api/domains/${domainId}/changes/${over.changeId}`)
  t.match(change.body, { origin: 'failover', status: 'applied', actor: { name: 'root' } })
  t.match(await heard(), [
    {
      name: 'failover.switched',
      payload: {
        metadata: {
          from: 'primary',
          to: 'backup',
          username: null,
          changeId: over.changeId,
          detail: `${primary.address}:${port} answered 503`,
        },
      },
    },
  ])
  const failed = (await read(id)).alternatives[0]
  t.match(failed, { health: 'down', reason: 'status', latencyMs: null })

  mend()
  await when(id, 'back', ({ state, active }) => state === 'preferred' && active === 'primary')
  t.same(there('www', 'A'), [primary.address])
  t.match(await heard(), [{ name: 'failover.back', payload: { metadata: { to: 'primary', detail: null } } }])
  const { body } = await admin.get(`/api/domains/${domainId}/changes?limit=10`)
  t.equal(body.changes.filter(({ origin }: Monitor) => origin === 'failover').length, 2, 'two changes in all')
})

void t.test('a target that hangs, and one that lies, are down', async (t) => {
  const { id } = await watch('hang')
  await when(id, 'both up', isUp)
  primary.answers = { ...FINE, hangs: true }
  await when(id, 'switched from one that hangs', ({ active }) => active === 'backup')
  t.equal((await read(id)).alternatives[0].reason, 'timeout')
  mend()
  await when(id, 'back', ({ active }) => active === 'primary')
  primary.answers = { ...FINE, body: 'It works!' }
  await when(id, 'switched from one that lies', ({ active }) => active === 'backup')
  t.equal((await read(id)).alternatives[0].reason, 'text')
})

void t.test('a target that flaps faster than the failures in a row is left alone', async (t) => {
  const { id } = await watch('flap')
  await when(id, 'both up', isUp)
  const seen = new Set<string>()
  for (let i = 0; i < 8; i++) {
    const count = primary.hosts.length
    primary.answers = i % 2 === 0 ? BROKEN : FINE
    await until('another check', () => primary.hosts.length > count)
    const { active } = await read(id)
    seen.add(active)
  }
  t.same([...seen], ['primary'])
  t.same(there('flap', 'A'), [primary.address])
})

void t.test('never switches to an alternative that fails itself, and says so once', async (t) => {
  const { id } = await watch('both')
  await when(id, 'both up', isUp)
  primary.answers = BROKEN
  backup.answers = BROKEN
  const down = await when(id, 'noticed', ({ problem }) => problem !== null)
  t.match(down, { state: 'down', active: 'primary', problem: 'no_alternative' })
  const checks = primary.hosts.length
  await until('more checks', () => primary.hosts.length > checks + 4)
  t.same(there('both', 'A'), [primary.address])
  t.match(await heard(), [{ name: 'failover.failed', payload: { metadata: { reason: 'no_alternative' } } }])
  backup.answers = FINE
  const over = await when(id, 'switched once it works', ({ active }) => active === 'backup')
  t.equal(over.problem, null)
})

void t.test('the first alternative that works is taken, and a better one later', async (t) => {
  const { id } = await watch('three', {
    alternatives: [
      { name: 'primary', values: [primary.address] },
      { name: 'backup', values: [backup.address] },
      { name: 'page', values: [third.address, primary.address], targets: [third.address] },
    ],
  })
  await when(id, 'all up', isUp)
  primary.answers = BROKEN
  backup.answers = BROKEN
  await when(id, 'the last', ({ active }) => active === 'page')
  t.same(there('three', 'A'), [primary.address, third.address].sort())
  backup.answers = FINE
  await when(id, 'the better', ({ active }) => active === 'backup')
  t.same(there('three', 'A'), [backup.address])
})

void t.test('records that somebody else changed are left alone', async (t) => {
  const { id } = await watch('other')
  await when(id, 'both up', isUp)
  const { body } = await admin.get(`${zone.url}?search=other`)
  await admin.put(`${zone.url}/${body.records[0].id}`, { value: '192.0.2.77' })
  primary.answers = BROKEN
  const paused = await when(id, 'paused', ({ paused: reason }) => reason === 'records_changed')
  t.equal(paused.state, 'paused')
  t.same(there('other', 'A'), ['192.0.2.77'])
  t.match(await heard(), [{ name: 'failover.paused', payload: { metadata: { reason: 'records_changed' } } }])
  t.match(await admin.post(`${url(id)}/resume`), { status: 409, body: { reason: 'failover_values' } })
  await admin.put(`${zone.url}/${body.records[0].id}`, { value: primary.address })
  t.match(await admin.post(`${url(id)}/resume`), { status: 200, body: { paused: null } })
  await when(id, 'switched', ({ active }) => active === 'backup')
})

void t.test('an undone switch is not made again for the same outage', async (t) => {
  const { id } = await watch('undone')
  await when(id, 'both up', isUp)
  primary.answers = BROKEN
  const over = await when(id, 'switched', ({ active, changeId }) => active === 'backup' && changeId !== null)
  await when(id, 'settled', ({ state }) => state === 'failed_over')
  const undone = await admin.post(`/api/domains/${domainId}/changes/${over.changeId}/revert`)
  t.equal(undone.status, 200)
  await app.work.run('failover.upkeep')
  t.match(await read(id), { paused: 'records_changed' })
  const checks = primary.hosts.length
  await until('more checks', () => primary.hosts.length > checks + 3)
  t.same(there('undone', 'A'), [primary.address])
})

void t.test('a monitor that is removed in the middle switches no more', async (t) => {
  const { id } = await watch('gone')
  await when(id, 'both up', isUp)
  primary.answers = BROKEN
  const checks = primary.hosts.length
  await until('it fails', () => primary.hosts.length > checks)
  t.equal((await admin.delete(url(id))).status, 204)
  const served = there('gone', 'A')
  const later = primary.hosts.length
  await new Promise((resolve) => setTimeout(resolve, FAST.second * 10_000 * 4))
  t.same(there('gone', 'A'), served)
  t.ok(primary.hosts.length <= later + 1, 'and checks no more')
})

void t.test('by hand: stays there until resumed', async (t) => {
  const { id } = await watch('hand')
  await when(id, 'both up', isUp)
  t.match(await admin.post(`${url(id)}/switch`, { to: 'nowhere' }), { status: 409 })
  const over = await admin.post(`${url(id)}/switch`, { to: 'backup' })
  t.match(over, {
    status: 200,
    body: { state: 'paused', paused: 'hand', active: 'backup', switchedBy: 'hand' },
  })
  t.same(there('hand', 'A'), [backup.address])
  t.match(await heard(), [{ name: 'failover.switched', payload: { metadata: { username: 'root' } } }])
  backup.answers = BROKEN
  await when(id, 'down', ({ alternatives }) => alternatives[1].health === 'down')
  t.same(there('hand', 'A'), [backup.address], 'even if it fails')
  t.equal((await admin.post(`${url(id)}/resume`)).status, 200)
  await when(id, 'left', ({ active }) => active === 'primary')
  t.match(await admin.post(`${url(id)}/switch`, { to: 'backup' }), {
    status: 409,
    body: { reason: 'failover_failing' },
  })
  t.match(await admin.post(`${url(id)}/switch`, { to: 'backup', force: true }), {
    status: 200,
    body: { active: 'backup' },
  })
  t.equal((await admin.post(`${url(id)}/pause`)).body.paused, 'hand')
  t.equal((await admin.get('/api/audit?action=failover.switched')).body.total, 2)
})

void t.test('nothing is switched in a maintenance window, and after it', async (t) => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const { id } = await watch('calm', { maintenance: [{ from: at(-60), until: at(60) }] })
  await when(id, 'both up', isUp)
  primary.answers = BROKEN
  const calm = await when(id, 'down', ({ alternatives }) => alternatives[0].health === 'down')
  t.match(calm, { isMaintenance: true, active: 'primary' })
  const checks = primary.hosts.length
  await until('more checks', () => primary.hosts.length > checks + 2)
  t.same(there('calm', 'A'), [primary.address])
  const ended = await admin.put(url(id), { maintenance: [{ from: at(-60), until: at(-1) }] })
  t.match(ended, { status: 200, body: { revision: 1, isMaintenance: false } })
  await when(id, 'switched', ({ active }) => active === 'backup')
})

void t.test('a provider that refuses leaves it as it is, and is tried again', async (t) => {
  const { id } = await watch('stuck')
  await when(id, 'both up', isUp)
  zone.fake.fail({
    on: 'write',
    times: Infinity,
    kind: 'answer',
    answer: { status: 422, headers: { 'content-type': 'application/json' }, body: '{"error":"no"}' },
  })
  primary.answers = BROKEN
  const stuck = await when(id, 'failed', ({ problem }) => problem === 'not_applied')
  t.equal(stuck.active, 'primary')
  t.match(await heard(), [{ name: 'failover.failed', payload: { metadata: { reason: 'not_applied' } } }])
  zone.fake.heal()
  await when(id, 'switched', ({ active }) => active === 'backup')
  t.same(there('stuck', 'A'), [backup.address])
})

void t.test('settings are checked', async (t) => {
  await zone.add('A', 'set', primary.address)
  const given = settings({ port, primary, backup }, 'set')
  const refused = async (more: object, path: string) => {
    const answer = await admin.post(monitors, { ...given, ...more })
    t.match(answer, { status: 400 }, path)
    t.ok(
      answer.body.errors?.some((error: Monitor) => error.path === path),
      `${path}: ${JSON.stringify(answer.body)}`,
    )
  }
  const [first] = given.alternatives
  await refused(
    { alternatives: [first, { name: 'backup', values: ['10.0.0.1'] }] },
    '/alternatives/1/values/0',
  )
  await refused(
    { alternatives: [first, { name: 'backup', values: ['nowhere'] }] },
    '/alternatives/1/values/0',
  )
  await refused({ alternatives: [first, { ...first, name: 'backup' }] }, '/alternatives/1/values')
  await refused({ alternatives: [first] }, '/alternatives')
  await refused({ intervalSeconds: 5 }, '/intervalSeconds')
  await refused({ check: { kind: 'tcp' } }, '/check/port')
  await refused({ check: { kind: 'tcp', port: 1, path: '/' } }, '/check/path')
  await refused({ check: { kind: 'http', timeoutSeconds: 10 } }, '/check/timeoutSeconds')
  await refused({ check: { kind: 'http', path: '/a b' } }, '/check/path')
  t.match(await admin.post(monitors, { ...given, name: 'absent' }), {
    status: 409,
    body: { reason: 'failover_values' },
  })
  t.equal((await admin.post(monitors, given)).status, 201)
  t.match(await admin.post(monitors, given), { status: 409, body: { reason: 'failover_exists' } })
})
