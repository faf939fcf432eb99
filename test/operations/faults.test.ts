import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { startZone, type Zone } from '../helpers/zone.ts'
import { finished, importFile, keepWaiting, LARGE, zonefile } from './large.ts'

/* Operations around which things fail. That of a killed process is in test/peers. */
const reconcileTimes = { afterLostAnswer: [0.2, 0.6, 1], sweep: 0.2 }
const app = await startApp(t, { largeChange: LARGE, reconcileTimes })
const zone = await startZone(t, { app })
const { admin } = zone

/** PowerDNS takes 500 names at a time: of 505 the second call goes wrong. */
const onSecondWrite = () => {
  let writes = 0
  return ({ method }: { method: string }) => method === 'PATCH' && ++writes === 2
}

void t.test('95. an answer that is lost is waited for, and what was done counts', async (t) => {
  zone.fake.fail({ on: onSecondWrite(), kind: 'cut' })
  const { body } = await importFile(zone, zonefile(505, 'cut'))
  const end = { outcome: 'succeeded', done: 505, total: 505, result: null, problem: null }
  t.match(await finished(admin, body.operation.id), end)

  zone.fake.fail({ on: onSecondWrite(), kind: 'belated', until: new Promise(() => {}) })
  const lost = await importFile(zone, zonefile(505, 'lost'))
  const { problem, ...over } = await finished(admin, lost.body.operation.id)
  t.match(over, { outcome: 'partly', done: 500, total: 505, changeId: String })
  t.match(problem, { status: 502, code: 'provider_error', changeId: over.changeId })
  t.match(await admin.get(`/api/domains/${zone.domainId}/changes/${over.changeId}`), {
    body: { status: 'partial', itemCount: 505 },
  })
})

void t.test('what a provider refuses is said, with what was done before', async (t) => {
  const answer = { status: 422, body: '{"error":"not so"}', headers: { 'content-type': 'application/json' } }
  zone.fake.fail({ on: onSecondWrite(), kind: 'answer', answer })
  const { body } = await importFile(zone, zonefile(505, 'no'))
  t.match(await finished(admin, body.operation.id), {
    outcome: 'partly',
    done: 500,
    problem: { code: 'provider_rejected', detail: /not so/ },
  })
})

void t.test('95. what an instance had not begun when it died is done by another', async (t) => {
  const own = await startZone(t, { app, name: 'example.net' })
  const { body } = await diedWith(own, { tries: 1 })
  t.match(await finished(admin, body.operation.id), { outcome: 'succeeded', done: 10 })
  t.equal(own.writes(), 1)
})

void t.test('who ends each instance is not begun for ever', async (t) => {
  const own = await startZone(t, { app, name: 'example.org' })
  const { body } = await diedWith(own, { tries: 3 })
  t.match(await finished(admin, body.operation.id), { outcome: 'failed', problem: { code: 'unavailable' } })
  t.equal(own.writes(), 0)
})

void t.test('an instance that stops leaves to others what it has not begun', async (t) => {
  const stopping = await startApp(t, { largeChange: LARGE })
  const own = await startZone(t, { app: stopping })
  const free = await lockName(own, 'w0')
  const { body } = await importFile(own, zonefile(10))
  const { id } = body.operation
  const isBegun = async () => (await own.admin.get(`/api/operations/${id}`)).body.state === 'running'
  await until('it is begun', isBegun)
  const closed = stopping.app.close()
  const other = await startApp(t, { database: stopping.database, alone: false, largeChange: LARGE })
  await free()
  await closed
  t.match(await finished(other.admin, id), { outcome: 'succeeded', done: 10 })
  t.equal(own.writes(), 1)
})

/** Asks for an import, and makes it one that an instance had taken which has died. */
async function diedWith(zone: Zone, { tries }: { tries: number }) {
  const { db } = zone.database
  const go = await keepWaiting(zone)
  const answer = await importFile(zone, zonefile(10))
  await db
    .updateTable('operations')
    .set({ state: 'running', holder: uuidv7(), tries })
    .where('id', '=', answer.body.operation.id)
    .execute()
  await go()
  return answer
}

/** A change of another instance that is under way holds the name, until the answer is called. */
async function lockName({ database: { db }, domainId }: Zone, name: string) {
  const id = uuidv7()
  await db
    .insertInto('changes')
    .values({
      id,
      domain_id: domainId,
      actor_id: null,
      actor_name: 'somebody',
      source: 'single',
      status: 'pending',
      lease_until: new Date(Date.now() + 3_600_000),
      unknown_since: null,
      settled_at: null,
    })
    .execute()
  await db.insertInto('name_locks').values({ domain_id: domainId, name, change_id: id }).execute()
  return () => db.deleteFrom('name_locks').where('change_id', '=', id).execute()
}
