import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { hear } from '../../helpers/events.ts'
import { until } from '../../helpers/until.ts'
import { create } from '../../change-requests/reviewed-zone.ts'
import { startLaterZone } from './later-zone.ts'

const zone = await startLaterZone(t)
const { app, admin, olga, wanda, dora, rita, mallory, fake, url, domainId, changes, there, writes } = zone
const { change, comes, becomes, inMinutes, database } = zone
const heard = hear(app, 'change.applied', 'change.failed')

const schedule = async (wanted: object[], more: object = {}, client = olga) => {
  const answer = await client.post(`${url}/apply`, { changes: wanted, applyAt: inMinutes(60), ...more })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body as { changeId: string }
}

void t.test('it waits for its time, and is applied then under the same id', async (t) => {
  await heard()
  const applyAt = inMinutes(60)
  const answer = await olga.post(`${url}/apply`, { changes: [create('www')], applyAt })
  t.match(answer, {
    status: 200,
    body: {
      scheduled: true,
      applied: false,
      applyAt,
      changeId: String,
      creates: [{ after: { name: 'www' } }],
    },
  })
  const { changeId } = answer.body
  t.same(there('www', 'A'), [])
  t.match(await olga.get(`${changes}?status=scheduled`), {
    status: 200,
    body: {
      total: 1,
      changes: [
        {
          id: changeId,
          status: 'scheduled',
          source: 'apply',
          applyAt,
          actor: { name: 'olga' },
          items: [{ action: 'create', after: { name: 'www' }, outcome: 'pending' }],
        },
      ],
    },
  })
  t.notMatch((await olga.get(changes)).body.changes, [{ id: changeId }], 'not in the history yet')
  await comes(changeId)
  await becomes(changeId, 'applied')
  t.same(there('www', 'A'), ['192.0.2.1'])
  t.match(await change(changeId), { applyAt: String, origin: 'schedule', actor: { name: 'olga' } })
  t.equal((await olga.get(`${changes}?status=scheduled`)).body.total, 0)
  t.match(await heard(), [
    { name: 'change.applied', payload: { metadata: { changeId, author: 'olga', created: 1 } } },
  ])
  t.equal((await admin.get('/api/audit?action=change.scheduled')).body.total, 1)
})

void t.test('times that make no sense name the field', async (t) => {
  for (const [more, path] of [
    [{ applyAt: inMinutes(-1) }, '/applyAt'],
    [{ applyAt: inMinutes(91 * 24 * 60) }, '/applyAt'],
    [{ applyAt: 'tomorrow' }, '/applyAt'],
    [{ applyAt: '2026-12-04T22:00:00' }, '/applyAt'],
    [{ applyat: inMinutes(5) }, '/applyat'],
    [{ confirmWithin: 0 }, '/confirmWithin'],
    [{ confirmWithin: 1441 }, '/confirmWithin'],
    [{ confirmWithin: 1.5 }, '/confirmWithin'],
    [{ confirmwithin: 5 }, '/confirmwithin'],
  ] as const) {
    const answer = await olga.post(`${url}/apply`, { changes: [create('never')], ...more })
    t.match(answer, { status: 400, body: { errors: [{ path }] } }, JSON.stringify(more))
    if (path.startsWith('/applyat') || path.startsWith('/confirmwithin')) continue
    const asked = { title: 'x', changes: [create('never')], ...more }
    t.match(await rita.post(`/api/domains/${domainId}/change-requests`, asked), {
      status: 400,
      body: { errors: [{ path }] },
    })
  }
  t.same(there('never', 'A'), [])
})

void t.test('who may not write may not schedule, and conflicts are told at once', async (t) => {
  const wanted = { changes: [create('nope')], applyAt: inMinutes(5) }
  t.match(await rita.post(`${url}/apply`, wanted), { status: 403 })
  t.match(await dora.post(`${url}/apply`, wanted), { status: 403 })
  t.match(await mallory.post(`${url}/apply`, wanted), { status: 404 })
  await zone.add('A', 'there', '192.0.2.1')
  const taken = { changes: [create('there')], applyAt: inMinutes(5) }
  t.match(await olga.post(`${url}/apply`, taken), { status: 409, body: { conflicts: [{ code: 'exists' }] } })
})

void t.test('delegates see what they may see, and only writers cancel', async (t) => {
  const { changeId } = await schedule([create('a.dev'), create('b')])
  const { changeId: own } = await schedule([create('c.dev')], {}, dora)
  const seen = (await dora.get(`${changes}?status=scheduled`)).body.changes
  t.match(seen, [{ itemCount: 1, items: [{ after: { name: 'a.dev' } }] }, { id: own }])
  t.match(await mallory.get(`${changes}?status=scheduled`), { status: 404 })
  const cancel = (client: typeof olga, id: string) => client.post(`${changes}/${id}/cancel`)
  t.match(await dora.post(`${changes}/${changeId}/cancel`), { status: 404 })
  t.match(await cancel(rita, changeId), { status: 403 })
  t.match(await cancel(mallory, changeId), { status: 404 })
  t.match(await cancel(wanda, changeId), { status: 200, body: { id: changeId, status: 'cancelled' } })
  t.match(await cancel(wanda, changeId), { status: 409, body: { reason: 'not_scheduled' } })
  t.match(await cancel(dora, own), { status: 200, body: { status: 'cancelled' } })
  t.equal((await olga.get(`${changes}?status=cancelled`)).body.total, 2)
  await comes(changeId)
  t.equal((await change(changeId)).status, 'cancelled')
  t.same(there('b', 'A'), [])
})

void t.test(
  'a conflict at its time fails it, changes nothing, and can be retried from the history',
  async (t) => {
    const { id, version } = await zone.add('A', 'moved', '192.0.2.1')
    const wanted = [{ action: 'update', recordId: id, value: '192.0.2.2' }, create('beside')]
    const { changeId } = await schedule(wanted)
    t.equal((await olga.put(`${url}/${id}`, { value: '192.0.2.9', version })).status, 200)
    await heard()
    const before = writes()
    await comes(changeId)
    await becomes(changeId, 'failed')
    t.equal(writes(), before)
    t.same([there('moved', 'A'), there('beside', 'A')], [['192.0.2.9'], []])
    t.match(await change(changeId), {
      problem: { code: 'plan_outdated' },
      items: [{ outcome: 'failed', error: String }, { outcome: 'failed' }],
    })
    t.match(await heard(), [{ name: 'change.failed', payload: { metadata: { changeId, reason: String } } }])
    t.match((await olga.get(`${changes}?status=failed`)).body.changes, [{ id: changeId }])
    t.equal((await admin.get('/api/audit?action=change.failed')).body.total, 1)
  },
)

void t.test('it is applied now for who may write all of it, as its author, and once', async (t) => {
  await heard()
  const { changeId } = await schedule([create('now.dev'), create('now')], { confirmWithin: 5 })
  const now = (client: typeof olga, id: string) => client.post(`${changes}/${id}/apply`)
  t.match(await now(dora, changeId), { status: 404 })
  t.match(await now(mallory, changeId), { status: 404 })
  t.match(await now(rita, changeId), { status: 403 })
  t.same(there('now', 'A'), [])
  const before = writes()
  const applied = await now(wanda, changeId)
  t.match(applied, {
    status: 200,
    body: {
      id: changeId,
      status: 'applied',
      actor: { name: 'olga' },
      confirmation: { status: 'unconfirmed' },
    },
  })
  t.same(there('now', 'A'), ['192.0.2.1'])
  t.match(await now(wanda, changeId), { status: 409, body: { reason: 'not_scheduled' } })
  await comes(changeId)
  t.equal(writes() - before, 1)
  t.match(await heard(), [{ name: 'change.applied', payload: { metadata: { changeId } } }])
  const audited = (await admin.get('/api/audit?action=change.applied')).body
  t.match(audited, { total: 1, entries: [{ actor: { name: 'wanda' } }] })
})

void t.test('applied now, it fails if it would do something else', async (t) => {
  const { id, version } = await zone.add('A', 'else', '192.0.2.1')
  const { changeId } = await schedule([{ action: 'update', recordId: id, value: '192.0.2.2' }])
  await olga.put(`${url}/${id}`, { value: '192.0.2.9', version })
  const failed = await olga.post(`${changes}/${changeId}/apply`)
  t.match(failed, { status: 200, body: { status: 'failed', problem: { code: 'plan_outdated' } } })
  t.same(there('else', 'A'), ['192.0.2.9'])
})

void t.test('its time and a person at once apply it once', async (t) => {
  const ids: string[] = []
  for (let n = 0; n < 8; n++) ids.push((await schedule([create(`race-${n}`)])).changeId)
  const before = writes()
  await Promise.all(
    ids.flatMap((id) => [
      comes(id),
      olga.post(`${changes}/${id}/apply`),
      olga.post(`${changes}/${id}/apply`),
    ]),
  )
  for (const id of ids) await becomes(id, 'applied')
  t.equal(writes() - before, 8)
})

void t.test('the author must still be allowed to at its time', async (t) => {
  const { changeId: ofWanda } = await schedule([create('w')], {}, wanda)
  const { changeId: ofDora } = await schedule([create('d.dev')], {}, dora)
  const { changeId: now } = await schedule([create('w-now')], {}, wanda)
  await admin.put(`/api/users/${wanda.userId}`, { disabled: true })
  const applied = await olga.post(`${changes}/${now}/apply`)
  t.match(applied, { status: 200, body: { status: 'failed', problem: { status: 403 } } })
  const { body } = await admin.get(`/api/assignments?domainId=${domainId}&userId=${dora.userId}`)
  t.equal((await admin.delete(`/api/assignments/${body.assignments[0].id}`)).status, 204)
  for (const id of [ofWanda, ofDora]) {
    await comes(id)
    await becomes(id, 'failed')
  }
  t.match(await change(ofWanda), { problem: { status: 403 } })
  t.match(await change(ofDora), { problem: { status: 404 } })
  t.same([there('w', 'A'), there('d.dev', 'A')], [[], []])
  await admin.put(`/api/users/${wanda.userId}`, { disabled: false })
})

void t.test('a token that was revoked schedules nothing any more', async (t) => {
  const { body } = await olga.post('/api/auth/me/tokens', { name: 'at', permissions: ['records:write'] })
  const headers = { authorization: `Bearer ${body.token}` }
  const scheduled = await olga.post(
    `/api/v1/domains/${domainId}/records/apply`,
    { changes: [create('token')], applyAt: inMinutes(5) },
    { headers },
  )
  const { changeId } = scheduled.body
  t.match(await change(changeId), { token: { name: 'at' } })
  const cancelled = await olga.post(`/api/v1/domains/${domainId}/changes/${changeId}/cancel`, {}, { headers })
  t.match(cancelled, { status: 403, body: { permission: 'changes:apply' } })
  await olga.delete(`/api/auth/me/tokens/${body.id}`)
  await comes(changeId)
  await becomes(changeId, 'failed')
  t.same(there('token', 'A'), [])
})

void t.test('a review that is required by then fails it', async (t) => {
  const { changeId } = await schedule([create('unreviewed')])
  await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'everyone' })
  const now = await olga.post(`${url}/apply`, { changes: [create('later')], applyAt: inMinutes(5) })
  t.match(now, { status: 409, body: { code: 'review_required', planId: String } })
  const urgent = { emergency: true, reason: 'The host is down' }
  const { changeId: ofEmergency } = await schedule([create('urgent')], urgent)
  await comes(changeId)
  await becomes(changeId, 'failed')
  t.match(await change(changeId), { problem: { code: 'review_required' } })
  await comes(ofEmergency)
  await becomes(ofEmergency, 'applied')
  t.match(await change(ofEmergency), { emergencyReason: 'The host is down' })
  await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'none' })
})

void t.test('while the provider is down it is tried again, for an hour', async (t) => {
  await heard()
  const { changeId } = await schedule([create('down')])
  const { changeId: other } = await schedule([create('longer')])
  fake.fail({ kind: 'reset', applied: false, times: Infinity })
  await comes(changeId)
  await until('it was put off', async () => {
    const row = await database.db
      .selectFrom('scheduled_changes')
      .select(['due_at', 'status'])
      .where('id', '=', changeId)
      .executeTakeFirstOrThrow()
    return row.status === 'scheduled' && (row.due_at?.getTime() ?? 0) > Date.now() + 11_000
  })
  t.equal((await change(changeId)).status, 'scheduled')
  await comes(other, 61)
  await becomes(other, 'failed')
  t.match(await change(other), { problem: { reason: 'missed_time' } })
  fake.heal()
  await comes(changeId)
  await becomes(changeId, 'applied')
  t.same([there('down', 'A'), there('longer', 'A')], [['192.0.2.1'], []])
  t.same(
    (await heard()).map(({ name }) => name),
    ['change.failed', 'change.applied'],
  )
})

void t.test('a clock that was ahead does not hold it up', async () => {
  const { changeId } = await schedule([create('ahead')])
  await database.db
    .updateTable('scheduled_changes')
    .set({ apply_at: new Date(Date.now() - 1), due_at: new Date(Date.now() + 86_400_000) })
    .where('id', '=', changeId)
    .execute()
  await until('it is bounded', async () => {
    const row = await database.db
      .selectFrom('scheduled_changes')
      .select('due_at')
      .where('id', '=', changeId)
      .executeTakeFirstOrThrow()
    return (row.due_at?.getTime() ?? Infinity) < Date.now() + 700_000
  })
  await olga.post(`${changes}/${changeId}/cancel`)
})

void t.test('a restore, a kept plan and a zone file can wait as well', async (t) => {
  const kept = await olga.post(`${url}/plan`, { changes: [create('kept')], keep: true })
  const { planId } = kept.body
  const scheduled = await olga.post(`${url}/apply`, { planId, applyAt: inMinutes(5) })
  t.match(scheduled, { status: 200, body: { scheduled: true } })
  t.match(await olga.post(`${url}/apply`, { planId }), { status: 409, body: { reason: 'plan_applied' } })
  const at = new Date().toISOString()
  const gone = await zone.add('A', 'gone', '192.0.2.1')
  const restore = { at, apply: true, applyAt: inMinutes(5) }
  const restored = await olga.post(`/api/domains/${domainId}/restore`, restore)
  t.match(restored, { status: 200, body: { scheduled: true, deletes: [{ recordId: gone.id }] } })
  const file = { zonefile: 'file 300 IN A 192.0.2.7\n', applyAt: inMinutes(5) }
  const imported = await olga.post(`${url}/import`, file)
  t.match(imported, { status: 200, body: { plan: { scheduled: true } } })
  for (const { changeId } of [scheduled.body, restored.body, imported.body.plan]) {
    await comes(changeId)
    await becomes(changeId, 'applied')
  }
  t.same([there('kept', 'A'), there('gone', 'A'), there('file', 'A')], [['192.0.2.1'], [], ['192.0.2.7']])
})

void t.test('two instances apply it once', async (t) => {
  await startApp(t, { database, alone: false })
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push((await schedule([create(`two-${n}`)])).changeId)
  const before = writes()
  await Promise.all(ids.map((id) => comes(id)))
  for (const id of ids) await becomes(id, 'applied')
  t.equal(writes() - before, 10)
})

void t.test('an operation over many domains can wait, each domain for itself', async (t) => {
  await zone.add('A', 'old', '192.0.2.77')
  const planned = await olga.post('/api/records/replace', {
    find: { value: '192.0.2.77' },
    replaceWith: { value: '192.0.2.78' },
  })
  t.equal(planned.status, 200, JSON.stringify(planned.body))
  const { planId } = planned.body
  const past = await olga.post('/api/records/replace/apply', { planId, applyAt: inMinutes(-5) })
  t.match(past, { status: 400, body: { errors: [{ path: '/applyAt' }] } })
  const begun = await olga.post('/api/records/replace/apply', { planId, applyAt: inMinutes(5) })
  t.equal(begun.status, 202, JSON.stringify(begun.body))
  const read = async () => (await olga.get(`/api/records/plans/${planId}`)).body.domains[0]
  await until('it is scheduled', async () => (await read()).outcome === 'scheduled')
  const { changeId } = await read()
  t.same(there('old', 'A'), ['192.0.2.77'])
  await comes(changeId)
  await becomes(changeId, 'applied')
  t.match(await read(), { outcome: 'applied', changeId })
  t.match(await change(changeId), { operationId: begun.body.operation.id, source: 'replace' })
  t.same(there('old', 'A'), ['192.0.2.78'])
})
