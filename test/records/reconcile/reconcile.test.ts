import t, { type Test } from 'tap'
import { RECONCILE_TIMES, type ReconcileTimes } from '../../../modules/records/reconcile/times.ts'
import { startApp, type Answer } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { hear } from '../../helpers/events.ts'
import { startZone, unsettled, type Zone } from '../../helpers/zone.ts'

const TIMES = { afterLostAnswer: [0.2, 0.6, 2], late: 1, sweep: 0.2 }
const app = await startApp(t, { reconcileTimes: TIMES })

const post = ({ admin, url }: Zone, name: string) =>
  admin.post(url, { recordType: 'A', name, value: '192.0.2.1', ttl: 300 })
const settled = (zone: Zone) =>
  until('settlement', async () => (await unsettled(zone)).every((count) => count === 0))
const looksOf = async ({ database: { db }, domainId }: Zone) =>
  (await db.selectFrom('changes').select('looks').where('domain_id', '=', domainId).execute()).at(-1)?.looks

void t.test('87. a provider that hangs delays only its own changes', async (t) => {
  const app = await startApp(t, {
    providerBudgetMs: 2_000,
    reconcileTimes: { afterLostAnswer: [3, 5], sweep: 0.5 },
  })
  const [hanging, other] = [await startZone(t, { app }), await startZone(t, { app })]
  hanging.fake.fail({ on: 'write', kind: 'cut', times: Infinity })
  const names = Array.from({ length: 10 }, (_, i) => `h${i}`)
  // Applied there, each answer lost; from then on it answers nothing at all.
  await Promise.all(names.map(async (name) => t.match(await post(hanging, name), { status: 502 })))
  hanging.fake.heal()
  hanging.fake.fail({ kind: 'silent', applied: false, times: Infinity })
  const reads = hanging.fake.requests.length
  await until('it is asked', () => hanging.fake.requests.length > reads)

  other.fake.fail({ on: 'write', kind: 'cut' })
  t.match(await post(other, 'lost'), { status: 502 })
  await until('the other is settled', async () => (await unsettled(other)).every((count) => count === 0), {
    within: 16,
  })
  t.same(await other.here(), ['lost A 192.0.2.1'])
  t.same(await unsettled(hanging), [10, 10, 10])
  t.ok(hanging.fake.requests.length - reads < 3, 'one that is silent is not asked for each change')
})

void t.test('92. late writes of a provider are waited for', async (t) => {
  const zone = await startZone(t, { app })
  const { promise, resolve } = Promise.withResolvers<void>()
  zone.fake.fail({ on: 'write', kind: 'belated', until: promise })
  t.match(await post(zone, 'late'), { status: 502 })
  await until('it is asked in vain', async () => (await looksOf(zone)) === 1)
  t.match(await zone.admin.get(zone.url), { body: { records: [{ name: 'late', status: 'pending' }] } })
  resolve()
  await settled(zone)
  t.match(await zone.admin.get(zone.url), { body: { records: [{ name: 'late', status: 'active' }] } })
  t.same(zone.there('late', 'A'), ['192.0.2.1'])
})

/** A zone in which that change was given up, and a way to have its provider write it now. */
async function givenUp(
  t: Test,
  change: (zone: Zone) => Promise<Answer>,
  reconcileTimes: Partial<ReconcileTimes> = {},
) {
  const zone = await startZone(t, {
    app: Object.keys(reconcileTimes).length > 0 ? await startApp(t, { reconcileTimes }) : app,
  })
  await zone.add('A', 'old', '192.0.2.9')
  const { promise, resolve } = Promise.withResolvers<void>()
  zone.fake.fail({ on: 'write', kind: 'belated', until: promise })
  t.match(await change(zone), { status: 502 })
  await settled(zone)
  t.match((await lastChange(zone)).status, 'failed', 'as far as anybody knows, nothing happened')
  return { zone, land: resolve }
}

const lastChange = async ({ admin, domainId }: Zone) =>
  (await admin.get(`/api/domains/${domainId}/changes`)).body.changes[0]
const sync = ({ admin, domainId }: Zone) => admin.post(`/api/domains/${domainId}/sync`)
const isLookedFor = async ({ database: { db }, domainId }: Zone) => {
  const rows = await db
    .selectFrom('changes')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('look_again', '=', true)
    .execute()
  return rows.length > 0
}
const lastLook = (zone: Zone) => until('the last look', async () => !(await isLookedFor(zone)))

/** As somebody else writes it at the provider. */
const write = ({ fake }: Zone, name: string, ttl: number) =>
  fake.patch('example.com', [
    {
      name: `${name}.example.com.`,
      type: 'A',
      ttl,
      changetype: 'REPLACE',
      records: [{ content: '192.0.2.1', disabled: false }],
    },
  ])

const oldId = async ({ admin, url }: Zone) => (await admin.get(`${url}?search=old`)).body.records[0].id
const CHANGES: Record<string, { change: (zone: Zone) => Promise<Answer>; here: string[] }> = {
  'a creation': { change: (zone) => post(zone, 'late'), here: ['late A 192.0.2.1', 'old A 192.0.2.9'] },
  'an update': {
    change: async (zone) => zone.admin.put(`${zone.url}/${await oldId(zone)}`, { value: '192.0.2.10' }),
    here: ['old A 192.0.2.10'],
  },
  'a deletion': { change: async (zone) => zone.admin.delete(`${zone.url}/${await oldId(zone)}`), here: [] },
}

for (const [what, { change, here }] of Object.entries(CHANGES)) {
  void t.test(`${what} that lands after it was given up corrects the history`, async (t) => {
    const { zone, land } = await givenUp(t, change)
    const heard = hear(zone.app, 'domain.drift')
    land()
    await lastLook(zone)
    t.match(await lastChange(zone), { status: 'applied', items: [{ outcome: 'applied', error: null }] })
    t.same(await zone.here(), here)
    t.match((await sync(zone)).body, { created: 0, updated: 0, deleted: 0 })
    t.same(await heard(), [], "it is nobody else's doing")
    const { id } = await lastChange(zone)
    const reverted = await zone.admin.post(`/api/domains/${zone.domainId}/changes/${id}/revert`)
    t.match(reverted, { status: 200, body: { applied: true } })
    t.same(await zone.here(), ['old A 192.0.2.9'])
  })

  void t.test(`${what} that a sync finds corrects the history too`, async (t) => {
    const { zone, land } = await givenUp(t, change, { ...TIMES, late: 600 })
    const heard = hear(zone.app, 'domain.drift')
    land()
    const isThere = async () => (await zone.admin.post(`/api/domains/${zone.domainId}/sync?dryRun=true`)).body
    await until('it lands', async () => {
      const { created, updated, deleted } = await isThere()
      return created + updated + deleted > 0
    })
    t.match(await sync(zone), { status: 200 })
    t.match(await lastChange(zone), { source: 'single', status: 'applied', items: [{ outcome: 'applied' }] })
    t.same(await zone.here(), here)
    t.notOk(await isLookedFor(zone))
    t.same(await heard(), [])
  })
}

void t.test('a record other than the wanted one is drift', async (t) => {
  const { zone } = await givenUp(t, (zone) => post(zone, 'late'))
  const heard = hear(zone.app, 'domain.drift')
  write(zone, 'late', 60)
  await lastLook(zone)
  const metadata = { domainId: zone.domainId, created: 1, updated: 0, deleted: 0, applied: false }
  t.match(await heard(), [{ name: 'domain.drift', payload: { metadata } }])
  t.match((await sync(zone)).body, { created: 1 })
  t.match(await lastChange(zone), { source: 'sync' })
})

void t.test('a write after a later change is not attributed to the first', async (t) => {
  const { zone } = await givenUp(t, (zone) => post(zone, 'late'), { ...TIMES, late: 600 })
  const again = await zone.add('A', 'late', '192.0.2.1')
  await zone.admin.delete(`${zone.url}/${again.id}`)
  write(zone, 'late', 300)
  t.match((await sync(zone)).body, { created: 1 })
  t.match(await lastChange(zone), { source: 'sync' })
})

void t.test('the history shows a change that was applied late in part', async (t) => {
  const changes = ['one', 'two'].map((name) => ({
    action: 'create',
    recordType: 'A',
    name,
    value: '192.0.2.1',
  }))
  const { zone } = await givenUp(t, (zone) => zone.admin.post(`${zone.url}/apply`, { changes }), {
    ...TIMES,
    late: 600,
  })
  const { ttl } = (await zone.admin.get(`/api/domains/${zone.domainId}/changes`)).body.changes[0].items[0]
    .after
  write(zone, 'two', ttl)
  t.match((await sync(zone)).body, { created: 1 })
  t.match(await lastChange(zone), {
    status: 'partial',
    items: [{ outcome: 'failed' }, { outcome: 'applied' }],
  })
})

void t.test('a change of a dead instance gets as many attempts as after a lost answer', async (t) => {
  const reconcileTimes = { afterLostAnswer: [5], afterDeath: [0, 0.4, 0.8, 1.6, 3], sweep: 0.1 }
  t.equal(RECONCILE_TIMES.afterDeath.at(-1), RECONCILE_TIMES.afterLostAnswer.at(-1))
  const zone = await startZone(t, { app: await startApp(t, { reconcileTimes }) })
  const { promise, resolve } = Promise.withResolvers<void>()
  zone.fake.fail({ on: 'write', kind: 'belated', until: promise })
  const answer = post(zone, 'late')
  // What the death of its instance leaves: pending, and no answer that is known to be lost.
  const died = async () => {
    const { numUpdatedRows } = await zone.database.db
      .updateTable('changes')
      .set({ unknown_since: null, looks: 0, lease_until: new Date() })
      .where('domain_id', '=', zone.domainId)
      .where('unknown_since', 'is not', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  await answer
  await until('its instance is gone', died)
  await until('it is asked in vain', async () => ((await looksOf(zone)) ?? 0) >= 3)
  resolve()
  await settled(zone)
  t.match(await lastChange(zone), { status: 'applied' })
})

void t.test('the zone is read once for many names', async (t) => {
  const zone = await startZone(t, { app })
  zone.fake.fail({ on: 'write', kind: 'cut' })
  const changes = Array.from({ length: 60 }, (_, i) => ({
    action: 'create',
    recordType: 'A',
    name: `h${i}`,
    value: '192.0.2.1',
  }))
  const reads = zone.fake.requests.length
  t.match(await zone.admin.post(`${zone.url}/apply`, { changes }), { status: 502 })
  await settled(zone)
  t.equal((await zone.here()).length, 60)
  const isRead = ({ method }: { method: string }) => method === 'GET'
  t.ok(zone.fake.requests.slice(reads).filter(isRead).length < 5)
})
