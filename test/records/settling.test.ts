import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { hear } from '../helpers/events.ts'
import { startZone, unsettled, type Zone } from '../helpers/zone.ts'

const app = await startApp(t, { looks: { afterLostAnswer: [0.2, 0.6, 2], late: 1, sweep: 0.2 } })

const post = ({ admin, url }: Zone, name: string) =>
  admin.post(url, { recordType: 'A', name, value: '192.0.2.1', ttl: 300 })
const settled = (zone: Zone) =>
  until('settlement', async () => (await unsettled(zone)).every((count) => count === 0))
const looksOf = async ({ database: { db }, domainId }: Zone) =>
  (await db.selectFrom('changes').select('looks').where('domain_id', '=', domainId).execute()).at(-1)?.looks

void t.test('87. a provider that hangs keeps none but its own changes waiting', async (t) => {
  const app = await startApp(t, { providerBudgetMs: 2_000, looks: { afterLostAnswer: [3, 5], sweep: 0.5 } })
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

void t.test('92. what a provider writes late is waited for', async (t) => {
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

void t.test('92. what comes later still is told, and what never comes is not', async (t) => {
  const zone = await startZone(t, { app })
  const heard = hear(zone.app, 'domain.drift')
  const { promise, resolve } = Promise.withResolvers<void>()
  zone.fake.fail({ on: 'write', kind: 'belated', until: promise })
  t.match(await post(zone, 'late'), { status: 502 })
  zone.fake.fail({ on: 'write', kind: 'answer', answer: { status: 500 } })
  t.match(await post(zone, 'never'), { status: 502 })
  await settled(zone)
  t.same(await zone.here(), [], 'as far as anybody knows, nothing happened')
  resolve()
  const isOver = async () => {
    const { db } = zone.database
    const rows = await db.selectFrom('changes').select('id').where('look_again', '=', true).execute()
    return rows.length === 0
  }
  await until('the last look', isOver)
  const metadata = { domainId: zone.domainId, created: 1, updated: 0, deleted: 0, applied: false }
  t.match(await heard(), [{ name: 'domain.drift', payload: { metadata } }])
  t.match(await zone.admin.post(`/api/domains/${zone.domainId}/sync`), { body: { created: 1 } })
})

void t.test('of many names the zone is read once', async (t) => {
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
