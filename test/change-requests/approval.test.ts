import t from 'tap'
import { hear } from '../helpers/events.ts'
import { unsettled } from '../helpers/zone.ts'
import { create, record, startReviewedZone } from './reviewed-zone.ts'

const zone = await startReviewedZone(t, 'everyone')
const { app, admin, olga, wanda, dora, rita, fake, url, domainId, ask, there, writes } = zone
const heard = hear(
  app,
  'change_request.approved',
  'change_request.applied',
  'change_request.failed',
  'change_request.outdated',
)
const at = (id: string, what = '') => `/api/change-requests/${id}${what}`
const approve = (id: string, client = olga, revision = 1) =>
  client.post(at(id, '/approve'), { revision, text: 'Looks good' })
/** Changes a record past the review. */
const urgently = async (changes: object[]) => {
  const done = await olga.post(`${url}/apply`, { changes, emergency: true, reason: 'test' })
  if (done.status !== 200) throw new Error(JSON.stringify(done.body))
  return done.body
}

void t.test('an approval applies it at once, and history names both', async (t) => {
  await heard()
  const asked = await ask(rita, [create('www')], { title: 'Web' })
  const done = await approve(asked.id)
  t.match(done, {
    status: 200,
    body: {
      status: 'applied',
      approver: { name: 'olga' },
      problem: null,
      timeline: [{ kind: 'opened' }, { kind: 'approved', by: { name: 'olga' }, text: 'Looks good' }],
    },
  })
  t.same(there('www', 'A'), ['192.0.2.1'])
  const change = await rita.get(`/api/domains/${domainId}/changes/${done.body.changeId}`)
  t.match(change.body, {
    status: 'applied',
    changeRequestId: asked.id,
    requestedBy: 'rita',
    actor: { name: 'olga' },
  })
  const events = await heard()
  t.same(
    events.map(({ name }) => name),
    ['change_request.approved', 'change_request.applied'],
  )
  for (const { payload } of events) t.ok(payload.userIds?.includes(rita.userId), 'the author is told')
  t.equal((await admin.get('/api/audit?action=change_request.approved')).body.total, 1)
})

void t.test('two people are needed, whoever asks', async (t) => {
  const own = await ask(olga, [create('own')])
  t.match(await approve(own.id, olga), { status: 409, body: { reason: 'own_request' } })
  const administrators = await ask(admin, [create('root')])
  t.match(await approve(administrators.id, admin), { status: 409, body: { reason: 'own_request' } })
  const partly = await ask(rita, [create('x.dev'), create('x')])
  t.equal((await approve(partly.id, dora)).status, 404, 'who does not see it all')
  const delegated = await ask(rita, [create('ns.dev', 'ns.example.net', 'NS')])
  t.equal((await approve(delegated.id, rita)).status, 409)
  t.equal((await approve(delegated.id, dora)).status, 200, 'who may write below the name')
  const apex = await ask(rita, [create('@', 'ns9.example.net', 'NS')])
  t.equal((await approve(apex.id, wanda)).status, 403, 'NS of the apex is of the owner and administrators')
  t.same(there('own', 'A'), [])
  t.same(there('x', 'A'), [])
})

void t.test('a machine account decides on nothing', async (t) => {
  const made = await admin.post('/api/users', { username: 'robot', kind: 'machine' })
  t.equal(made.status, 201)
  await admin.post('/api/assignments', { userId: made.body.id, domainId, permission: 'write' })
  const token = await admin.post(`/api/users/${made.body.id}/tokens`, {
    name: 'ci',
    permissions: ['records:read', 'records:write', 'changes:review'],
  })
  t.equal(token.status, 201)
  const asked = await ask(rita, [create('robot')])
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/change-requests/${asked.id}/approve`,
    headers: { authorization: `Bearer ${token.body.token}` },
    payload: { revision: 1 },
  })
  t.equal(answer.statusCode, 403)
  t.same(there('robot', 'A'), [])
})

void t.test('tokens need the permission to review', async (t) => {
  const tokenOf = async (permissions: string[]) =>
    (await wanda.post('/api/auth/me/tokens', { name: permissions.join(), permissions })).body.token as string
  const asked = await ask(rita, [create('token')])
  const by = async (permissions: string[]) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/v1/change-requests/${asked.id}/approve`,
      headers: { authorization: `Bearer ${await tokenOf(permissions)}` },
      payload: { revision: 1 },
    })
    return answer.statusCode
  }
  t.equal(await by(['records:read', 'records:write']), 403)
  t.equal(await by(['records:read', 'records:write', 'changes:review']), 200)
  t.same(there('token', 'A'), ['192.0.2.1'])
})

void t.test('records that have changed since make it outdated, and nothing is applied', async (t) => {
  const { updates, creates } = await urgently([create('moved')])
  t.equal(updates.length, 0)
  const recordId = creates[0].recordId as string
  const { body: record } = await olga.get(`/api/domains/${domainId}/records/${recordId}`)
  const update = { action: 'update', recordId, version: record.version, value: '192.0.2.50' }
  const asked = await ask(wanda, [update, create('beside')])
  await urgently([{ action: 'update', recordId, value: '192.0.2.60' }])
  await heard()
  const before = writes()
  const done = await approve(asked.id)
  t.match(done, {
    status: 200,
    body: { status: 'outdated', changeId: null, problem: { code: 'plan_outdated' } },
  })
  t.equal(writes(), before)
  t.same(there('moved', 'A'), ['192.0.2.60'])
  t.same(there('beside', 'A'), [])
  t.same(
    (await heard()).map(({ name }) => name),
    ['change_request.approved', 'change_request.outdated'],
  )
  const replanned = await olga.put(at(asked.id), {})
  t.match(replanned.body, { status: 'open', revision: 2, approver: null, problem: null })
  t.match(await approve(asked.id, olga, 2), { body: { status: 'applied' } })
  t.same(there('moved', 'A'), ['192.0.2.50'])
})

void t.test('a record that changed and changed back is as it was', async (t) => {
  const { creates } = await urgently([create('swing')])
  const recordId = creates[0].recordId as string
  const asked = await ask(wanda, [{ action: 'delete', recordId }])
  await urgently([{ action: 'update', recordId, value: '192.0.2.60' }])
  await urgently([{ action: 'update', recordId, value: '192.0.2.1' }])
  t.match(await approve(asked.id), { body: { status: 'applied' } })
  t.same(there('swing', 'A'), [])
})

void t.test('a provider that refuses makes it failed, with its change', async (t) => {
  const asked = await ask(wanda, [create('refused')])
  fake.fail({ on: 'write', kind: 'answer', answer: { status: 422, body: '{"error": "not today"}' } })
  await heard()
  const done = await approve(asked.id)
  t.match(done, { status: 200, body: { status: 'failed' } })
  t.type(done.body.changeId, 'string')
  t.same(there('refused', 'A'), [])
  t.same(
    (await heard()).map(({ name }) => name),
    ['change_request.approved', 'change_request.failed'],
  )
  t.equal((await wanda.put(at(asked.id), {})).status, 409, 'a new request is needed')
})

void t.test('of many approvals at the same time one applies it, once', async (t) => {
  const asked = await ask(rita, [create('once')])
  const before = writes()
  const answers = await Promise.all(
    [olga, wanda, admin, olga, wanda].map((client) => approve(asked.id, client)),
  )
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.ok(answers.every(({ status }) => status === 200 || status === 409))
  t.equal(writes(), before + 1)
  t.same(there('once', 'A'), ['192.0.2.1'])
  t.same(await unsettled(zone), [0, 0, 0])
})

void t.test('the policy may end while a request is open', async (t) => {
  const asked = await ask(wanda, [create('late')])
  await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'none' })
  t.equal((await wanda.post(url, record('direct'))).status, 201)
  t.match(await approve(asked.id), { body: { status: 'applied' } })
})
