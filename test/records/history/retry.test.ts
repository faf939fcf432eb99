import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { startZone, unsettled, type Zone } from '../../helpers/zone.ts'

/* What is more than one call of the provider may be done in part: that is told, and the rest can be done. */
const app = await startApp(t, { reconcileTimes: { afterLostAnswer: [0.2, 0.6, 1], sweep: 0.2 } })
const ANSWER = { status: 422, body: '{"error":"not so"}', headers: { 'content-type': 'application/json' } }
const MANY = 600
/** PowerDNS takes so many at a time. */
const FIRST = 500

const names = Array.from({ length: MANY }, (_, i) => `h${i}`)
const creates = names.map((name) => ({
  action: 'create',
  recordType: 'A',
  name,
  value: '192.0.2.1',
  ttl: 300,
}))

const onSecondWrite = () => {
  let writes = 0
  return ({ method }: { method: string }) => method === 'PATCH' && ++writes === 2
}
const apply = ({ admin, url }: Zone, body: object) => admin.post(`${url}/apply`, body)
const changeOf = async ({ admin, domainId }: Zone, id: string) =>
  (await admin.get(`/api/domains/${domainId}/changes/${id}`)).body
const retry = ({ admin, domainId }: Zone, id: string, query = '') =>
  admin.post(`/api/domains/${domainId}/changes/${id}/retry${query}`)

/** A change of which the second call was refused. */
async function partly(zone: Zone) {
  const { body: plan } = await zone.admin.post(`${zone.url}/plan`, { changes: creates, keep: true })
  zone.fake.fail({ on: onSecondWrite(), kind: 'answer', answer: ANSWER })
  const answer = await apply(zone, { planId: plan.planId })
  zone.fake.heal()
  return answer
}

void t.test('the applied part is reported, and the rest is retried', async (t) => {
  const zone = await startZone(t, { app })
  const failed = await partly(zone)
  t.match(failed, {
    status: 502,
    body: { changeStatus: 'partial', done: FIRST, total: MANY, changeId: String },
  })
  const { changeId } = failed.body
  t.match(await changeOf(zone, changeId), { status: 'partial', itemCount: MANY })

  const dryRun = await retry(zone, changeId, '?dryRun=true')
  t.match(dryRun, { status: 200, body: { applied: false, conflicts: { length: 0 } } })
  t.equal(dryRun.body.creates.length, MANY - FIRST)
  t.equal((await zone.here()).length, 200, 'a page')
  const kept = await retry(zone, changeId, '?keep=true')
  const done = await apply(zone, { planId: kept.body.planId })
  t.match(done, { status: 200, body: { applied: true } })
  t.match(await changeOf(zone, done.body.changeId), { source: 'retry', status: 'applied' })
  t.equal(zone.fake.dump('example.com').filter(({ type }) => type === 'A').length, MANY)
  t.match(await retry(zone, changeId), { status: 200, body: { applied: false, creates: { length: 0 } } })
})

void t.test('records that are as wanted are skipped, and other changes conflict', async (t) => {
  const zone = await startZone(t, { app })
  const [one, two] = [await zone.add('A', 'one', '192.0.2.1'), await zone.add('A', 'two', '192.0.2.1')]
  const changes = [
    { action: 'update', recordId: one.id, value: '192.0.2.2' },
    { action: 'delete', recordId: two.id },
    { action: 'create', recordType: 'A', name: 'three', value: '192.0.2.3' },
  ]
  zone.fake.fail({ on: 'write', kind: 'answer', answer: ANSWER })
  const failed = await apply(zone, { changes })
  t.match(failed, { status: 502, body: { changeStatus: 'failed', done: 0, total: 3 } })
  const { changeId } = failed.body
  await zone.admin.delete(`${zone.url}/${two.id}`)
  await zone.add('A', 'three', '192.0.2.3')
  t.match(await retry(zone, changeId, '?dryRun=true'), {
    body: { updates: [{ after: { value: '192.0.2.2' } }], deletes: { length: 0 }, creates: { length: 0 } },
  })
  await zone.admin.put(`${zone.url}/${one.id}`, { value: '192.0.2.9' })
  t.match(await retry(zone, changeId), { status: 409, body: { reason: 'changed_since' } })
})

void t.test('a pending change is not retried', async (t) => {
  const zone = await startZone(t, { app })
  zone.fake.fail({ on: 'write', kind: 'cut' })
  const lost = await apply(zone, { changes: creates.slice(0, 2) })
  t.match(lost, { status: 502, body: { changeStatus: 'pending', done: 0, total: 2 } })
  const early = await retry(zone, lost.body.changeId)
  t.ok(early.status === 409 || early.status === 200, `${early.status}`)
  await until('it is settled', async () => (await unsettled(zone)).every((count) => count === 0))
  t.match(await retry(zone, lost.body.changeId), { status: 200, body: { applied: false } })
})

void t.test('a retry needs write permission', async (t) => {
  const zone = await startZone(t, { app })
  const { body } = await partly(zone)
  const ada = await app.addUser('ada').then(() => app.signIn('ada'))
  t.match(await ada.post(`/api/domains/${zone.domainId}/changes/${body.changeId}/retry`), { status: 404 })
})
