import t from 'tap'
import { hear } from '../helpers/events.ts'
import { create, record, startReviewedZone } from './reviewed-zone.ts'

const zone = await startReviewedZone(t)
const { app, admin, olga, wanda, dora, rita, mallory, url, domainId, requests, ask, there } = zone
const heard = hear(app, 'change_request.opened', 'change_request.applied', 'change_request.rejected')
const at = (id: string, what = '') => `/api/change-requests/${id}${what}`
const titles = (answer: { body: { requests: { title: string }[] } }) =>
  answer.body.requests.map(({ title }) => title)

void t.test('who reads the names may ask; who may write them is told', async (t) => {
  await heard()
  const asked = await rita.post(requests, {
    title: 'A host for the shop',
    reason: 'It opens on Monday',
    changes: [create('shop')],
  })
  t.match(asked, {
    status: 201,
    headers: { location: at(asked.body.id) },
    body: {
      domainId,
      domainName: 'example.com',
      status: 'open',
      revision: 1,
      author: { id: rita.userId, name: 'rita' },
      created: 1,
      updated: 0,
      deleted: 0,
      canApprove: false,
      approver: null,
      changeId: null,
      plan: { creates: [{ after: { name: 'shop', value: '192.0.2.1' } }], updates: [], deletes: [] },
      timeline: [{ kind: 'opened', by: { name: 'rita' } }],
    },
  })
  t.same(there('shop', 'A'), [], 'nothing is changed by asking')
  t.match(await heard(), [
    {
      name: 'change_request.opened',
      payload: {
        actorId: rita.userId,
        metadata: { title: 'A host for the shop', author: 'rita', created: 1 },
      },
    },
  ])
  t.match((await olga.get(at(asked.body.id))).body, { canApprove: true })
  t.match((await dora.get(at(asked.body.id))).status, 404, 'not seen by who sees another part')
  t.match((await mallory.get(at(asked.body.id))).status, 404)
  t.equal((await mallory.post(requests, { title: 'x', changes: [create('y')] })).status, 404)
})

void t.test('what can not be done is refused', async (t) => {
  await olga.post(url, record('there'))
  t.match(await wanda.post(requests, { title: 'x', changes: [create('there')] }), {
    status: 409,
    body: { conflicts: [{ code: 'exists' }] },
  })
  t.match(await wanda.post(requests, { title: 'x' }), {
    status: 400,
    body: { errors: [{ path: '/changes' }] },
  })
  t.match(await wanda.post(requests, { title: '  ', changes: [create('y')] }), {
    status: 400,
    body: { errors: [{ path: '/title' }] },
  })
  const same = [{ action: 'set', recordType: 'A', name: 'there', values: ['192.0.2.1'], ttl: 300 }]
  t.match(await wanda.post(requests, { title: 'x', changes: same }), {
    status: 409,
    body: { reason: 'nothing_to_change' },
  })
  t.match(await dora.post(requests, { title: 'x', changes: [create('outside')] }), { status: 403 })
})

void t.test('a plan is of its own user: another one can not make it a request', async (t) => {
  const { planId } = (await wanda.post(url, record('mine'))).body
  t.equal((await olga.post(requests, { title: 'x', planId })).status, 404)
  t.equal((await wanda.post(requests, { title: 'x', planId })).status, 201)
})

void t.test('lists show what the caller sees in full, and what waits for them', async (t) => {
  const inside = await ask(dora, [create('a.dev')], { title: 'inside' })
  const across = await ask(wanda, [create('b.dev'), create('b')], { title: 'across' })
  t.same(titles(await dora.get(requests)), ['inside'])
  t.same(titles(await dora.get('/api/change-requests')), ['inside'])
  t.equal((await dora.get(at(across.id))).status, 404)
  const all = await wanda.get(`${requests}?limit=1&author=WANDA&status=open`)
  t.match(all.body, { total: 2, page: 1, limit: 1 })
  t.same(titles(all), ['across'])
  t.same(titles(await wanda.get('/api/change-requests?canApprove=true')), ['inside', 'A host for the shop'])
  t.same(titles(await rita.get('/api/change-requests?canApprove=true')), [])
  t.same(titles(await mallory.get('/api/change-requests')), [])
  t.equal((await mallory.get(requests)).status, 404)
  t.ok((await admin.get(`/api/change-requests?domainId=${domainId}`)).body.total >= 4)
  t.match((await olga.get(at(inside.id))).body, { title: 'inside' })
})

void t.test('its author edits it, which ends what was seen before', async (t) => {
  const asked = await ask(wanda, [create('edited')])
  t.equal((await olga.put(at(asked.id), { title: 'x' })).status, 403)
  t.equal((await rita.put(at(asked.id), { title: 'x' })).status, 403)
  const edited = await wanda.put(at(asked.id), { title: 'Two', changes: [create('edited', '192.0.2.7')] })
  t.match(edited, {
    status: 200,
    body: { title: 'Two', revision: 2, plan: { creates: [{ after: { value: '192.0.2.7' } }] } },
  })
  t.match(await olga.post(at(asked.id, '/approve'), { revision: 1 }), {
    status: 409,
    body: { reason: 'request_changed', params: { revision: 2 } },
  })
  t.same(there('edited', 'A'), [])
  const { headers } = await wanda.get(at(asked.id))
  t.match(
    await wanda.put(at(asked.id), { title: 'Three' }, { headers: { 'if-match': '"other"' } }),
    { status: 412 },
    'of another state',
  )
  t.ok(headers['etag'])
})

void t.test('comments, rejection and withdrawal', async (t) => {
  await heard()
  const asked = await ask(wanda, [create('talk')], { title: 'Talk' })
  t.equal((await rita.post(at(asked.id, '/comments'), { text: 'Why?' })).status, 200)
  t.match(await rita.post(at(asked.id, '/comments'), { text: ' ' }), { status: 400 })
  t.equal((await mallory.post(at(asked.id, '/comments'), { text: 'Hi' })).status, 404)
  t.equal((await wanda.post(at(asked.id, '/reject'), { reason: 'no' })).status, 409, 'not by its author')
  t.equal(
    (await rita.post(at(asked.id, '/reject'), { reason: 'no' })).status,
    403,
    'nor by who may not write',
  )
  const rejected = await olga.post(at(asked.id, '/reject'), { reason: 'The host stays' })
  t.match(rejected, {
    status: 200,
    body: {
      status: 'rejected',
      timeline: [
        { kind: 'opened' },
        { kind: 'commented', text: 'Why?' },
        { kind: 'rejected', text: 'The host stays' },
      ],
    },
  })
  const events = await heard()
  t.match(events.at(-1), { name: 'change_request.rejected', payload: { actorId: olga.userId } })
  t.ok(events.at(-1)?.payload.userIds?.includes(wanda.userId))
  for (const [way, body] of [
    ['approve', { revision: 1 }],
    ['reject', { reason: 'again' }],
  ] as const) {
    t.match(await olga.post(at(asked.id, `/${way}`), body), {
      status: 409,
      body: { reason: 'request_not_open' },
    })
  }
  const mine = await ask(wanda, [create('back')])
  t.equal((await olga.post(at(mine.id, '/withdraw'))).status, 403)
  t.match(await wanda.post(at(mine.id, '/withdraw')), { status: 200, body: { status: 'withdrawn' } })
  t.equal((await wanda.post(at(mine.id, '/withdraw'))).status, 409)
})

void t.test('who loses the permission no longer sees it', async (t) => {
  const asked = await ask(rita, [create('seen')])
  const { body } = await admin.get(`/api/assignments?userId=${rita.userId}`)
  t.equal((await admin.delete(`/api/assignments/${body.assignments[0].id}`)).status, 204)
  t.equal((await rita.get(at(asked.id))).status, 404)
  t.same(titles(await rita.get('/api/change-requests')), [])
})
