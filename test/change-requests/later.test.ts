import t from 'tap'
import { until } from '../helpers/until.ts'
import { create, startReviewedZone } from './reviewed-zone.ts'

/* Requests that are applied at a time, and must be confirmed. */
const zone = await startReviewedZone(t, 'everyone')
const { admin, olga, wanda, rita, database, domainId, ask, there, requests } = zone
const at = (id: string, what = '') => `/api/change-requests/${id}${what}`
const approve = (id: string, revision = 1) => olga.post(at(id, '/approve'), { revision })
const soon = () => new Date(Date.now() + 3_600_000).toISOString()
const comes = (id: string, minutes = 0) => {
  const time = new Date(Date.now() - minutes * 60_000 - 1)
  return database.db
    .updateTable('change_requests')
    .set({ apply_at: time, due_at: time })
    .where('id', '=', id)
    .execute()
}
const becomes = (id: string, status: string) =>
  until(status, async () => (await rita.get(at(id))).body.status === status)

void t.test('an approved request waits for its time', async (t) => {
  const applyAt = soon()
  const { id } = await ask(rita, [create('www')], { applyAt, confirmWithin: 5 })
  t.match(await approve(id), {
    status: 200,
    body: { status: 'approved', applyAt, confirmWithin: 5, changeId: null },
  })
  t.same(there('www', 'A'), [])
  await comes(id)
  await becomes(id, 'applied')
  t.same(there('www', 'A'), ['192.0.2.1'])
  const { changeId } = (await rita.get(at(id))).body
  const change = `/api/domains/${domainId}/changes/${changeId}`
  await until(
    'its time runs',
    async () => (await olga.get(change)).body.confirmation.status === 'unconfirmed',
  )
  t.match((await olga.get(change)).body, { changeRequestId: id, applyAt: String, confirmWithin: 5 })
  const over = new Date(Date.now() - 1)
  await database.db
    .updateTable('confirmations')
    .set({ confirm_by: over, due_at: over })
    .where('change_id', '=', changeId)
    .execute()
  await until('it is reverted', async () => (await olga.get(change)).body.confirmation.status === 'reverted')
  t.same(there('www', 'A'), [], 'whatever the review policy says')
})

void t.test('it can be applied before, withdrawn or rejected while it waits', async (t) => {
  const later = { applyAt: soon() }
  const early = await ask(rita, [create('early')], later)
  t.match(await olga.post(at(early.id, '/apply')), { status: 409, body: { reason: 'request_not_open' } })
  await approve(early.id)
  t.match(await rita.post(at(early.id, '/apply')), { status: 403 })
  t.match(await wanda.post(at(early.id, '/apply')), {
    status: 200,
    body: {
      status: 'applied',
      timeline: [{}, { kind: 'approved' }, { kind: 'applied', by: { name: 'wanda' } }],
    },
  })
  t.same(there('early', 'A'), ['192.0.2.1'])
  t.match(await wanda.post(at(early.id, '/apply')), { status: 409 })

  const withdrawn = await ask(rita, [create('withdrawn')], later)
  const rejected = await ask(rita, [create('rejected')], later)
  for (const { id } of [withdrawn, rejected]) await approve(id)
  t.match(await rita.post(at(withdrawn.id, '/withdraw')), { status: 200, body: { status: 'withdrawn' } })
  t.match(await olga.post(at(rejected.id, '/reject'), { reason: 'no' }), { body: { status: 'rejected' } })
  for (const { id } of [withdrawn, rejected]) await comes(id)
  const marker = await ask(rita, [create('marker')], later)
  await approve(marker.id)
  await comes(marker.id)
  await becomes(marker.id, 'applied')
  t.same([there('withdrawn', 'A'), there('rejected', 'A')], [[], []])
})

void t.test('records that have changed by then make it outdated', async (t) => {
  const urgent = { emergency: true, reason: 'test' }
  const made = await olga.post(`${zone.url}/apply`, { changes: [create('moving')], ...urgent })
  const { recordId } = made.body.creates[0]
  const changes = [{ action: 'update', recordId, value: '192.0.2.2' }]
  const { id } = await ask(rita, changes, { applyAt: soon() })
  await approve(id)
  const other = [{ action: 'update', recordId, value: '192.0.2.9' }]
  await olga.post(`${zone.url}/apply`, { changes: other, ...urgent })
  await comes(id)
  await becomes(id, 'outdated')
  t.same(there('moving', 'A'), ['192.0.2.9'])
})

void t.test('a time that has passed is not approved, and a missed one fails', async (t) => {
  t.match(
    await rita.post(requests, { title: 'x', changes: [create('past')], applyAt: '2020-01-01T00:00:00Z' }),
    {
      status: 400,
      body: { errors: [{ path: '/applyAt' }] },
    },
  )
  const { id } = await ask(rita, [create('past')], { applyAt: soon() })
  await comes(id)
  t.match(await approve(id), { status: 409, body: { reason: 'missed_time' } })
  t.match(await rita.put(at(id), { applyAt: soon(), confirmWithin: null }), {
    status: 200,
    body: { revision: 2 },
  })
  t.match(await approve(id, 2), { status: 200, body: { status: 'approved' } })
  await comes(id, 61)
  await becomes(id, 'failed')
  t.match((await rita.get(at(id))).body, { problem: { reason: 'missed_time' } })
  t.match(await rita.put(at(id), { applyAt: null }), { body: { status: 'open', applyAt: null } })
  t.match(await approve(id, 3), { body: { status: 'applied' } })
  t.same(there('past', 'A'), ['192.0.2.1'])
})

void t.test('the approver must still be allowed to at its time', async (t) => {
  const { id } = await ask(rita, [create('gone')], { applyAt: soon() })
  await wanda.post(at(id, '/approve'), { revision: 1 })
  await admin.put(`/api/users/${wanda.userId}`, { disabled: true })
  await comes(id)
  await becomes(id, 'failed')
  t.same(there('gone', 'A'), [])
})
