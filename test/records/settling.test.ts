import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { startZone, unsettled } from '../helpers/zone.ts'

const app = await startApp(t, { providerBudgetMs: 2_000 })

void t.test('a provider that hangs keeps none but its own changes waiting', async (t) => {
  const [hanging, other] = [await startZone(t, { app }), await startZone(t, { app })]
  const post = ({ admin, url }: typeof other, name: string) =>
    admin.post(url, { recordType: 'A', name, value: '192.0.2.1' })
  hanging.fake.fail({ on: 'write', kind: 'cut', times: Infinity })
  const names = Array.from({ length: 10 }, (_, i) => `h${i}`)
  // Applied there, each answer lost; from then on it answers nothing at all.
  for (const name of names) t.match(await post(hanging, name), { status: 502 })
  hanging.fake.heal()
  hanging.fake.fail({ kind: 'silent', applied: false, times: Infinity })
  const reads = hanging.fake.requests.length
  await until('it is asked', () => hanging.fake.requests.length > reads)

  other.fake.fail({ on: 'write', kind: 'cut' })
  t.match(await post(other, 'lost'), { status: 502 })
  await until('the other is settled', async () => (await unsettled(other)).every((count) => count === 0), {
    within: 12,
  })
  t.same(await other.here(), ['lost A 192.0.2.1'])
  t.same(await unsettled(hanging), [10, 10, 10])
  t.ok(hanging.fake.requests.length - reads < 3, 'one that is silent is not asked for each change')
})
