import { sql } from 'kysely'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { addPowerDns, contentsAt, idOf, startFake, startZone } from '../../helpers/zone.ts'
import { mirrorsOf } from './mirrors.ts'

/* Mirrors that write late, and changes that a sync finds: order holds, and nothing is undone. */
const zone = await startZone(t)
const { admin, app, domainId, database } = zone
const url = `/api/domains/${domainId}`
const other = await startFake(t)
other.createZone('example.com')
const config = await addPowerDns(admin, other, 'other')
const mirrors = mirrorsOf(zone)
const there = (name: string) => contentsAt(other, 'example.com', name, 'A')

const { id: www } = await zone.add('A', 'www', '192.0.2.1')
const mirror = idOf(await admin.post(`${url}/mirrors`, { providerConfigId: config }))
await mirrors.inStep(mirror)

void t.test('a write that arrives after it was given up comes before later changes', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const seen: string[][] = []
  other.watch(() => void seen.push(there('www')))
  other.fail({ on: 'write', kind: 'belated', until: promise })
  await admin.put(`${zone.url}/${www}`, { value: '192.0.2.2' })
  await until('the answer is lost', async () => (await mirrors.read(mirror)).error !== null)
  await admin.put(`${zone.url}/${www}`, { value: '192.0.2.3' })
  resolve()
  await until('it arrives', () => there('www')[0] === '192.0.2.2')
  await mirrors.retry(mirror, config)
  t.match(await mirrors.inStep(mirror), { behind: 0 })
  t.same(there('www'), ['192.0.2.3'])
  const order = seen.map(([value]) => value).filter((value, at, all) => value !== all[at - 1])
  t.same(order, [...new Set(order)], 'no value comes back')
  t.match(await admin.post(`${url}/mirrors/${mirror}/compare`), { body: { mirror: { differences: 0 } } })
})

void t.test('what a sync in the background adopts follows, after what waited before', async (t) => {
  await admin.put(url, { syncInterval: 5 })
  other.fail({ kind: 'answer', answer: { status: 503 }, times: Infinity })
  await zone.add('A', 'own', '192.0.2.4')
  await until('it waits', async () => (await mirrors.read(mirror)).behind === 1)
  zone.fake.patch('example.com', [
    {
      name: 'www.example.com.',
      type: 'A',
      ttl: 300,
      changetype: 'REPLACE',
      records: [{ content: '192.0.2.9', disabled: false }],
    },
  ])
  await sql`update domains set sync_due_at = now() where id = ${domainId}`.execute(database.db)
  await app.work.run('records.sync')
  t.equal((await mirrors.read(mirror)).behind, 2)
  await admin.put(`${zone.url}/${(await idAt('www')) ?? www}`, { value: '192.0.2.10' })
  other.heal()
  await mirrors.retry(mirror, config)
  await mirrors.inStep(mirror)
  t.same([there('own'), there('www')], [['192.0.2.4'], ['192.0.2.10']])
  t.same(zone.there('www', 'A'), ['192.0.2.10'])
  t.match(await admin.post(`${url}/mirrors/${mirror}/compare`), { body: { mirror: { differences: 0 } } })
})

async function idAt(name: string): Promise<string | undefined> {
  const { body } = await admin.get(`${zone.url}?search=${name}&type=A`)
  return body.records[0]?.id
}
