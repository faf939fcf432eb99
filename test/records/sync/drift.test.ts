import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { startApp, type TestApp } from '../../helpers/app.ts'
import { hear } from '../../helpers/events.ts'
import { until } from '../../helpers/until.ts'
import { startZone, unsettled, type Zone } from '../../helpers/zone.ts'

const app = await startApp(t)
const heard = hear(app.app, 'domain.drift', 'domain.drift_enforced')

interface Values {
  ttl?: number
  type?: string
}

const rrset = (name: string, contents: string[], { ttl = 300, type = 'A' }: Values = {}) => ({
  name: `${name}.example.com.`,
  type,
  ttl,
  changetype: contents.length > 0 ? 'REPLACE' : 'DELETE',
  records: contents.map((content) => ({ content, disabled: false })),
})

/** Changes the provider's records behind the service. */
const outside = (zone: Zone, ...changes: ReturnType<typeof rrset>[]) =>
  zone.fake.patch('example.com', changes)

const domainOf = async (zone: Zone) => (await zone.admin.get(`/api/domains/${zone.domainId}`)).body
const set = async (t: Test, zone: Zone, driftPolicy: string) =>
  t.match(await zone.admin.put(`/api/domains/${zone.domainId}`, { driftPolicy }), {
    status: 200,
    body: { driftPolicy },
  })
const changesOf = async (zone: Zone) =>
  (await zone.admin.get(`/api/domains/${zone.domainId}/changes`)).body.changes

/** A zone with twelve records, h0 to h11, that is synced automatically. */
async function declared(t: Test, driftPolicy: string, on: TestApp = app): Promise<Zone> {
  const zone = await startZone(t, { app: on })
  outside(zone, ...Array.from({ length: 12 }, (_, i) => rrset(`h${i}`, ['192.0.2.1'])))
  await zone.admin.put(`/api/domains/${zone.domainId}`, { syncInterval: 5 })
  await on.app.work.run('records.sync')
  await set(t, zone, driftPolicy)
  await heard()
  return zone
}

/** The automatic sync, as if the interval were over. */
async function turn(zone: Zone, on: TestApp = app): Promise<void> {
  await sql`update domains set sync_due_at = now() where id = ${zone.domainId}`.execute(zone.database.db)
  await on.app.work.run('records.sync')
}

const hourLater = (zone: Zone) =>
  sql`update domains set enforced_at = enforced_at - interval '1 hour' where id = ${zone.domainId}`.execute(
    zone.database.db,
  )

const told = async () => (await heard()).map(({ name, payload }) => ({ name, ...payload.metadata }))

void t.test('by default, changes made elsewhere are adopted, and the history says so', async (t) => {
  const zone = await declared(t, 'adopt')
  await zone.add('A', 'own', '192.0.2.2')
  t.match(await changesOf(zone), [{ source: 'single', changedOutside: false }])
  outside(zone, rrset('h0', ['192.0.2.9']))
  await turn(zone)
  t.match(await domainOf(zone), { driftPolicy: 'adopt', driftFoundAt: null, drift: null })
  t.ok((await zone.here()).includes('h0 A 192.0.2.9'))
  t.match(await changesOf(zone), [{ source: 'sync', changedOutside: true }])
  t.match(await told(), [{ name: 'domain.drift', applied: true, reason: null }])
})

void t.test('an alert leaves both sides as they are, and is announced once', async (t) => {
  const zone = await declared(t, 'alert')
  const [last] = await changesOf(zone)
  outside(zone, rrset('h0', ['192.0.2.9']), rrset('new', ['192.0.2.7']), rrset('h1', []))
  await turn(zone)
  await turn(zone)
  const drift = { created: 2, updated: 0, deleted: 2, reason: 'alert' }
  t.match(await domainOf(zone), { driftFoundAt: String, drift, recordCount: 12, lastSyncError: null })
  t.match(await told(), [{ name: 'domain.drift', applied: false, ...drift }])
  t.equal((await changesOf(zone))[0].id, last.id)
  t.same(zone.there('h0', 'A'), ['192.0.2.9'])
  t.match((await zone.admin.get('/metrics')).status, 200)

  outside(zone, rrset('new', []))
  await turn(zone)
  t.match(await told(), [{ created: 1, deleted: 2 }], 'other differences are news')

  // A person decides: the sync shows what differs, and takes it over.
  const sync = `/api/domains/${zone.domainId}/sync`
  t.match(await zone.admin.post(`${sync}?dryRun=true`), {
    body: { created: 1, deleted: 2, difference: { created: [{ name: 'h0', value: '192.0.2.9' }] } },
  })
  t.match(await domainOf(zone), { drift: { created: 1, deleted: 2 } })
  t.match(await zone.admin.post(sync), { body: { created: 1, deleted: 2, changeId: null } })
  t.match(await domainOf(zone), { driftFoundAt: null, drift: null, recordCount: 11 })
})

void t.test('differences that somebody resolves at the provider are no longer known', async (t) => {
  const zone = await declared(t, 'alert')
  outside(zone, rrset('h0', []))
  await turn(zone)
  t.match(await domainOf(zone), { driftFoundAt: String })
  outside(zone, rrset('h0', ['192.0.2.1']))
  await turn(zone)
  t.match(await domainOf(zone), { driftFoundAt: null, drift: null })
})

void t.test('what is declared here is put back, as a change of its own', async (t) => {
  const zone = await declared(t, 'enforce')
  const records = async () => (await zone.admin.get(`${zone.url}?limit=200`)).body.records
  const ids = new Map(
    (await records()).map((record: { name: string; id: string }) => [record.name, record.id]),
  )
  outside(zone, rrset('h0', ['192.0.2.9']), rrset('new', ['192.0.2.7']), rrset('h1', []))
  await turn(zone)
  t.match(await domainOf(zone), { driftFoundAt: null, drift: null, recordCount: 12 })
  t.same(
    [zone.there('h0', 'A'), zone.there('new', 'A'), zone.there('h1', 'A')],
    [['192.0.2.1'], [], ['192.0.2.1']],
  )
  const [change] = await changesOf(zone)
  t.match(change, {
    source: 'enforce',
    origin: 'enforce',
    status: 'applied',
    changedOutside: true,
    actor: { id: null, name: 'system' },
    itemCount: 4,
  })
  const items = change.items.map(
    ({ action, before, after }: { action: string; before: Content | null; after: Content | null }) =>
      `${action} ${(after ?? before)?.name} ${before?.value ?? ''} ${after?.value ?? ''}`,
  )
  t.same(items.toSorted(), [
    'create h0  192.0.2.1',
    'create h1  192.0.2.1',
    'delete h0 192.0.2.9 ',
    'delete new 192.0.2.7 ',
  ])
  for (const { name, id, status } of await records()) {
    t.equal(id, ids.get(name), `${name} is the same record`)
    t.equal(status, 'active')
  }
  t.match(await told(), [
    { name: 'domain.drift_enforced', created: 2, updated: 0, deleted: 2, changeId: change.id },
  ])
  const { at } = { at: new Date(Date.parse(change.createdAt) - 1).toISOString() }
  const restored = await zone.admin.post(`/api/domains/${zone.domainId}/restore`, { at })
  t.match(restored.body, { creates: { length: 0 }, updates: { length: 0 }, deletes: { length: 0 } })
})

interface Content {
  name: string
  value: string
}

void t.test('once an hour, by one of several instances', async (t) => {
  const second = await startApp(t, { database: app.database })
  const zone = await declared(t, 'enforce')
  outside(zone, rrset('h0', []))
  const before = zone.writes()
  await Promise.all([turn(zone), turn(zone, second)])
  t.equal(zone.writes(), before + 1)

  outside(zone, rrset('h1', []))
  await turn(zone)
  t.equal(zone.writes(), before + 1)
  t.match(await domainOf(zone), { drift: { deleted: 1, reason: 'too_soon' } })
  await hourLater(zone)
  await Promise.all([turn(zone), turn(zone, second)])
  t.equal(zone.writes(), before + 2)
  t.match(await domainOf(zone), { driftFoundAt: null })
})

void t.test('more than 30 % of the records are left to a person, who puts them back', async (t) => {
  const zone = await declared(t, 'enforce')
  outside(zone, ...[0, 1, 2, 3].map((i) => rrset(`h${i}`, [])))
  await turn(zone)
  await turn(zone)
  t.match(await domainOf(zone), { recordCount: 12, drift: { deleted: 4, reason: 'many_changes' } })
  t.match(await told(), [{ name: 'domain.drift', applied: false, reason: 'many_changes', deleted: 4 }])
  const sync = `/api/domains/${zone.domainId}/sync?putBack=true`
  t.match(await zone.admin.post(`${sync}&dryRun=true`), { status: 200, body: { deleted: 4 } })
  t.match(await zone.admin.post(sync), { status: 409, body: { code: 'confirmation_required', deleted: 4 } })
  const answer = await zone.admin.post(`${sync}&force=true`)
  t.match(answer, { status: 200, body: { deleted: 4, changeId: String } })
  t.same(zone.there('h3', 'A'), ['192.0.2.1'])
  t.match(await domainOf(zone), { recordCount: 12, driftFoundAt: null })
  t.match(await changesOf(zone), [{ id: answer.body.changeId, source: 'enforce', origin: 'api' }])
})

void t.test('a provider that keeps another TTL is not fought forever', async (t) => {
  const zone = await declared(t, 'enforce')
  const before = zone.writes()
  for (let i = 0; i < 6; i++) {
    // As if each write were rewritten.
    outside(zone, rrset('h0', ['192.0.2.1'], { ttl: 600 }))
    await turn(zone)
    await hourLater(zone)
  }
  t.equal(zone.writes(), before + 3)
  t.match(await domainOf(zone), { drift: { updated: 1, reason: 'comes_back' } })
  t.match(
    (await told()).map(({ name }) => name),
    [...Array.from({ length: 3 }, () => 'domain.drift_enforced'), 'domain.drift'],
  )
  // Other changes are still put back.
  outside(zone, rrset('h1', []))
  await turn(zone)
  t.same(zone.there('h1', 'A'), ['192.0.2.1'])
  t.match(await domainOf(zone), { drift: { updated: 1, deleted: 0, reason: 'comes_back' } })
})

void t.test('a write through the service is not undone by a comparison of before', async (t) => {
  const zone = await declared(t, 'enforce')
  outside(zone, rrset('h0', ['192.0.2.9']))
  const list = (await zone.admin.get(`${zone.url}?limit=200`)).body.records
  const h0 = list.find(({ name }: Content) => name === 'h0')
  // The write comes when the provider was read and the differences are known.
  let written: Promise<unknown> | undefined
  t.intercept(app.app.metrics.syncs, 'inc', {
    value(labels: object) {
      written ??= zone.admin.put(`${zone.url}/${h0.id}`, { value: '192.0.2.50' })
      return labels
    },
  })
  await turn(zone)
  t.match(await written, { status: 200 })
  t.ok(zone.there('h0', 'A').includes('192.0.2.50'))
  t.ok((await zone.here()).includes('h0 A 192.0.2.50'))
})

void t.test('unmanaged records are none of it', async (t) => {
  const zone = await declared(t, 'enforce')
  outside(zone, rrset('odd', ['1 x.example.net.'], { type: 'MINFO' }))
  const before = zone.writes()
  await turn(zone)
  t.equal(zone.writes(), before)
  t.match(await domainOf(zone), { driftFoundAt: null, unmanaged: 1 })
})

void t.test('where the provider takes nothing, the domain stays out of sync', async (t) => {
  const zone = await declared(t, 'enforce')
  outside(zone, rrset('h0', []))
  zone.fake.fail({ kind: 'answer', on: 'write', answer: { status: 422, body: 'Refused' }, times: Infinity })
  await turn(zone)
  t.match(await domainOf(zone), { recordCount: 12, drift: { deleted: 1, reason: 'not_taken' } })
  const { body } = await zone.admin.get(`${zone.url}?limit=200`)
  t.match(
    body.records.map(({ status }: { status: string }) => status),
    Array.from({ length: 12 }, () => 'active'),
  )
})

void t.test(
  'a write whose answer is lost is looked up, with records that were never stored here',
  async (t) => {
    const times = { afterLostAnswer: [0.2, 0.4], sweep: 0.2 }
    const patient = await startApp(t, { providerBudgetMs: 2_000, reconcileTimes: times })
    for (const applied of [true, false]) {
      const zone = await declared(t, 'enforce', patient)
      outside(zone, rrset('h0', ['192.0.2.9']), rrset('new', ['192.0.2.7']))
      zone.fake.fail({ on: 'write', kind: 'silent', applied })
      await turn(zone, patient)
      zone.fake.heal()
      await until('it is settled', async () => (await unsettled(zone)).every((count) => count === 0))
      t.match(await changesOf(zone), [{ source: 'enforce', status: applied ? 'applied' : 'failed' }])
      t.match(await domainOf(zone), { recordCount: 12 })
      t.ok((await zone.here()).includes('h0 A 192.0.2.1'), 'what is declared stays')
      // The next sync puts back what was not taken, and notes that all is well.
      await hourLater(zone)
      await turn(zone, patient)
      t.same([zone.there('h0', 'A'), zone.there('new', 'A')], [['192.0.2.1'], []])
      t.match(await domainOf(zone), { recordCount: 12, drift: null })
    }
  },
)

void t.test('under a review policy, what is declared is still put back', async (t) => {
  const zone = await declared(t, 'enforce')
  await zone.admin.put(`/api/domains/${zone.domainId}`, { reviewPolicy: 'everyone' })
  outside(zone, rrset('h0', []))
  await turn(zone)
  t.same(zone.there('h0', 'A'), ['192.0.2.1'])
})

void t.test('the policy is a setting of the domain, and audited', async (t) => {
  const zone = await declared(t, 'alert')
  t.match(await zone.admin.put(`/api/domains/${zone.domainId}`, { driftPolicy: 'never' }), {
    status: 400,
    body: { errors: [{ path: '/driftPolicy' }] },
  })
  const { body } = await zone.admin.get('/api/audit?action=domain.updated')
  t.match(body.entries[0], { before: { driftPolicy: 'adopt' }, after: { driftPolicy: 'alert' } })
  await zone.addUser('delegate')
  const other = await zone.signIn('delegate')
  await zone.admin.post('/api/assignments', {
    domainId: zone.domainId,
    userId: other.userId,
    permission: 'write',
  })
  t.match(await other.put(`/api/domains/${zone.domainId}`, { driftPolicy: 'adopt' }), { status: 403 })
})
