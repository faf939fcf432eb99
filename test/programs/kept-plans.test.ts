import t from 'tap'
import { call } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, startZone } from '../helpers/zone.ts'

const zone = await startZone(t, { largeChange: 2 })
const { admin, url, domainId, there } = zone
const { db } = zone.database

const create = (name: string, value: string) => ({ action: 'create', recordType: 'A', name, value, ttl: 300 })
const keep = async (changes: object[], client = admin) => {
  const { status, body } = await client.post(`${url}/plan`, { changes, keep: true })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.planId as string
}
const apply = (planId: string, client = admin) => client.post(`${url}/apply`, { planId })

void t.test('what was shown is done once, by its id', async (t) => {
  const { body } = await admin.post(`${url}/plan`, { changes: [create('once', '192.0.2.1')], keep: true })
  t.match(body, { creates: [{ after: { name: 'once' } }], applied: false, changeId: null })
  const left = Date.parse(body.planExpiresAt) - Date.now()
  t.ok(left > 3_500_000 && left <= 3_601_000, 'kept for an hour')
  t.same(there('once', 'A'), [], 'nothing is done yet')

  const writes = zone.writes()
  const answers = await Promise.all([apply(body.planId), apply(body.planId)])
  const done = answers.find(({ status }) => status === 200)
  const applied = { code: 'conflict', reason: 'plan_applied', changeId: done?.body.changeId }
  t.match(
    answers.find((answer) => answer !== done),
    { status: 409, body: applied },
    'of two at once one applies it, and the other learns by which change',
  )
  t.match(await apply(body.planId), { status: 409, body: applied }, 'and so does who applies it later')
  t.match(done?.body, { applied: true, creates: [{ after: { name: 'once', value: '192.0.2.1' } }] })
  t.equal(zone.writes(), writes + 1)
  t.same(there('once', 'A'), ['192.0.2.1'])
  const { body: history } = await admin.get(`/api/domains/${domainId}/changes?limit=1`)
  t.match(history.changes[0], { id: done?.body.changeId, source: 'apply' })
})

void t.test('a plan that can not be applied is shown and not kept', async (t) => {
  await zone.add('A', 'there', '192.0.2.1')
  const same = { changes: [create('there', '192.0.2.1')], keep: true }
  t.match((await admin.post(`${url}/plan`, same)).body, { conflicts: [{ code: 'exists' }], planId: null })
  const plain = await admin.post(`${url}/plan`, { changes: [create('plain', '192.0.2.1')] })
  t.notOk('planId' in plain.body, 'nor one that nobody wants kept')
})

void t.test('102. what would do something else by now is refused with what it would do', async (t) => {
  const { id } = await zone.add('A', 'moving', '192.0.2.1')
  const planId = await keep([{ action: 'update', recordId: id, ttl: 600 }, create('beside', '192.0.2.9')])
  await admin.put(`${url}/${id}`, { value: '192.0.2.2' })
  const calls = zone.writes()
  t.match(await apply(planId), {
    status: 409,
    body: {
      code: 'plan_outdated',
      plan: { updates: [{ before: { value: '192.0.2.2' }, after: { value: '192.0.2.2', ttl: 600 } }] },
    },
  })
  t.equal(zone.writes(), calls, 'nothing of it is done')
  t.match(await apply(planId), { status: 409, body: { code: 'plan_outdated' } }, 'and again')

  const gone = await keep([{ action: 'delete', recordId: id }])
  await admin.delete(`${url}/${id}`)
  t.match(await apply(gone), { status: 409, body: { code: 'plan_outdated' } }, 'also when it can not be done')
  const taken = await keep([create('taken', '192.0.2.1')])
  await zone.add('A', 'taken', '192.0.2.1')
  t.match(await apply(taken), { status: 409, body: { code: 'plan_outdated' } })
})

void t.test('102. it is for who made it, with the rights of when it is applied', async (t) => {
  await zone.addUser('grace')
  const grace = await zone.signIn('grace')
  const planId = await keep([create('mine', '192.0.2.1')])
  t.equal((await apply(planId, grace)).status, 404, 'who does not see the domain')
  const { body: assignment } = await admin.post('/api/assignments', {
    domainId,
    userId: grace.userId,
    permission: 'write',
  })
  t.equal((await apply(planId, grace)).status, 404, 'who may do the same')
  const hers = await keep([create('hers', '192.0.2.1')], grace)
  await admin.put(`/api/assignments/${assignment.id}`, { permission: 'read' })
  t.equal((await apply(hers, grace)).status, 403, 'who may not any more')
  t.same(there('hers', 'A'), [])
  t.equal((await apply(planId)).status, 200, 'others have not used it up')
})

void t.test('it is for the token that made it, and for no other of the same user', async (t) => {
  const permissions = ['records:read', 'records:write']
  const v1 = url.replace('/api/', '/api/v1/')
  const program = async () => {
    const made = await admin.post('/api/auth/me/tokens', { name: 'program', permissions })
    const headers = { authorization: `Bearer ${made.body.token}` }
    return (path: string, payload: object) =>
      call(zone.app, { method: 'POST', url: `${v1}/${path}`, headers, payload })
  }
  const [one, other] = [await program(), await program()]
  const { body } = await one('plan', { changes: [create('program', '192.0.2.1')], keep: true })
  const { planId } = body
  t.equal((await other('apply', { planId })).status, 404)
  t.equal((await apply(planId)).status, 404, 'nor for its user without it')
  t.equal((await one('apply', { planId })).status, 200, 'others have not used it up')
})

void t.test('of another domain, over, or beside changes it does nothing', async (t) => {
  const planId = await keep([create('late', '192.0.2.1')])
  const beside = await admin.post(`${url}/apply`, { planId, changes: [create('late', '192.0.2.1')] })
  t.match(beside, { status: 400, body: { errors: [{ path: '/planId' }] } })
  zone.fake.createZone('other.example')
  const other = await addDomain(admin, zone.configId, 'other.example')
  t.equal((await admin.post(`/api/domains/${other.id}/records/apply`, { planId })).status, 404)
  await db.updateTable('kept_plans').set({ expires_at: new Date() }).where('id', '=', planId).execute()
  t.equal((await apply(planId)).status, 404)
})

void t.test('an undo, a restore and an import are kept the same way', async (t) => {
  const { body: changed } = await admin.post(`${url}/apply`, { changes: [create('undone', '192.0.2.1')] })
  const undo = `/api/domains/${domainId}/changes/${changed.changeId}/revert?keep=true`
  const { body: shown } = await admin.post(undo)
  t.match(shown, { deletes: [{ before: { name: 'undone' } }], applied: false })
  t.match(await apply(shown.planId), { status: 200, body: { applied: true } })
  t.same(there('undone', 'A'), [])
  const { body: history } = await admin.get(`/api/domains/${domainId}/changes?limit=1`)
  t.match(history.changes[0], { source: 'revert' })

  const zonefile = ['a', 'b', 'c'].map((name) => `large-${name} 300 IN A 192.0.2.1\n`).join('')
  const { body: imported } = await admin.post(`${url}/import`, { zonefile, keep: true })
  const large = await apply(imported.plan.planId)
  t.match(large, { status: 202, body: { operation: { kind: 'import', total: 3 } } }, 'a large one goes on')
  await until('the operation is done', async () => {
    const { body } = await admin.get(`/api/operations/${large.body.operation.id}`)
    return body.outcome === 'succeeded'
  })
  t.same(there('large-c', 'A'), ['192.0.2.1'])
  t.match(await apply(imported.plan.planId), {
    status: 409,
    body: { reason: 'plan_applied', operationId: large.body.operation.id },
  })

  const restore = `/api/domains/${domainId}/restore`
  const at = new Date().toISOString()
  await zone.add('A', 'later', '192.0.2.1')
  const { body: back } = await admin.post(restore, { at, keep: true, apply: true })
  t.match(back, { applied: false, deletes: [{ before: { name: 'later' } }] }, '`keep` is never the deed')
})

void t.test('the newest hundred of a user stay', async (t) => {
  const first = await keep([create('first', '192.0.2.1')])
  await Promise.all(Array.from({ length: 100 }, (_, i) => keep([create(`n${i}`, '192.0.2.1')])))
  await keep([create('last', '192.0.2.1')])
  const rows = await db
    .selectFrom('kept_plans')
    .select('id')
    .where('user_id', '=', admin.userId)
    .where('change_id', 'is', null)
    .where('operation_id', 'is', null)
    .execute()
  t.ok(rows.length <= 100, `${rows.length} are kept`)
  t.equal((await apply(first)).status, 404)

  const large = await keep([create('large', '192.0.2.1')])
  await db
    .updateTable('kept_plans')
    .set({ bytes: 32 * 1024 * 1024 })
    .where('id', '=', large)
    .execute()
  const next = await keep([create('next', '192.0.2.1')])
  t.equal((await apply(large)).status, 404, 'nor more than 32 MiB of them')
  t.equal((await apply(next)).status, 200)
})
