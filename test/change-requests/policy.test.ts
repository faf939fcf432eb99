import t from 'tap'
import { hear } from '../helpers/events.ts'
import { create, record, startReviewedZone } from './reviewed-zone.ts'

const zone = await startReviewedZone(t)
const { app, admin, olga, wanda, dora, rita, url, domainId, requests, there, writes } = zone
const heard = hear(app, 'change_request.bypassed')

void t.test('under `members` a delegate needs a review, owner and administrators do not', async (t) => {
  const before = writes()
  const refused = await wanda.post(url, record('www'))
  t.match(refused, { status: 409, body: { code: 'review_required', changeRequests: requests } })
  t.equal(refused.body.plan.creates.length, 1)
  t.type(refused.body.planId, 'string')
  t.same(there('www', 'A'), [], 'nothing was changed')
  t.equal(writes(), before, 'and the provider was not asked to')
  t.equal((await olga.post(url, record('owner'))).status, 201)
  t.equal((await admin.post(url, record('administrator'))).status, 201)
})

void t.test('every way to write needs it', async (t) => {
  const owned = (await olga.post(url, record('kept'))).body
  const change = (await olga.get(`/api/domains/${domainId}/changes`)).body.changes[0]
  const earlier = new Date(Date.parse(change.createdAt) - 1).toISOString()
  const ways = {
    update: () => wanda.put(`${url}/${owned.id}`, { value: '192.0.2.9' }),
    delete: () => wanda.delete(`${url}/${owned.id}`),
    bulk: () => wanda.post(`${url}/bulk`, { records: [record('b1')] }),
    apply: () => wanda.post(`${url}/apply`, { changes: [create('p1')] }),
    revert: () => wanda.post(`/api/domains/${domainId}/changes/${change.id}/revert`),
    restore: () => wanda.post(`/api/domains/${domainId}/restore`, { at: earlier, apply: true }),
    import: () => wanda.post(`${url}/import`, { zonefile: 'z 300 IN A 192.0.2.8\n', mode: 'merge' }),
  }
  const before = await zone.here()
  for (const [way, write] of Object.entries(ways)) {
    const answer = await write()
    t.match(answer, { status: 409, body: { code: 'review_required', changeRequests: requests } }, way)
    const asked = await wanda.post(requests, { title: way, planId: answer.body.planId })
    t.equal(asked.status, 201, `${way} becomes a request`)
    t.equal((await wanda.post(`/api/change-requests/${asked.body.id}/withdraw`)).status, 200)
  }
  t.same(await zone.here(), before)
})

void t.test('a write that changes nothing needs none', async (t) => {
  await olga.post(url, record('same'))
  const answer = await wanda.post(`${url}/apply`, {
    changes: [{ action: 'set', recordType: 'A', name: 'same', values: ['192.0.2.1'], ttl: 300 }],
  })
  t.match(answer, { status: 200, body: { applied: false, changeId: null } })
})

void t.test('an emergency bypasses it, for the owner and administrators, with a reason', async (t) => {
  t.equal((await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'everyone' })).status, 200)
  await heard()
  t.match(await olga.post(url, record('e1')), { status: 409, body: { code: 'review_required' } })
  t.match(await admin.post(url, record('e1')), { status: 409, body: { code: 'review_required' } })
  const urgent = { changes: [create('e1')], emergency: true }
  t.match(await olga.post(`${url}/apply`, urgent), { status: 400, body: { errors: [{ path: '/reason' }] } })
  t.match(await olga.post(`${url}/apply`, { changes: [create('e1')], reason: 'down' }), {
    status: 400,
    body: { errors: [{ path: '/reason' }] },
  })
  t.match(await wanda.post(`${url}/apply`, { ...urgent, reason: 'down' }), { status: 403 })
  const done = await olga.post(`${url}/apply`, { ...urgent, reason: 'down' })
  t.match(done, { status: 200, body: { applied: true } })
  t.same(there('e1', 'A'), ['192.0.2.1'])
  const entry = `/api/domains/${domainId}/changes/${done.body.changeId}`
  t.equal((await rita.get(entry)).body.emergencyReason, 'down')
  await olga.post(`${url}/apply`, { changes: [create('e2.dev')], emergency: true, reason: 'hidden part' })
  const seen = (await dora.get(`/api/domains/${domainId}/changes`)).body.changes
  t.match(seen[0], { emergencyReason: null }, 'not for those who see only a part')
  t.match(await heard(), [
    { payload: { metadata: { changeId: done.body.changeId, username: 'olga', reason: 'down' } } },
    {},
  ])
  t.equal((await admin.get('/api/audit?action=review.bypassed')).body.total, 2)
  t.match((await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'members' })).body, {
    reviewPolicy: 'members',
    reviewExempt: ['ddns', 'acme'],
  })
})

void t.test('only who manages the domain sets its policy', async (t) => {
  for (const client of [wanda, rita]) {
    t.equal((await client.put(`/api/domains/${domainId}`, { reviewPolicy: 'none' })).status, 403)
  }
  t.match(await olga.put(`/api/domains/${domainId}`, { reviewPolicy: 'nobody' }), { status: 400 })
  t.match(await olga.put(`/api/domains/${domainId}`, { reviewExempt: ['api'] }), { status: 400 })
})

void t.test('dynamic DNS is exempt unless the domain says otherwise', async (t) => {
  const made = await wanda.post('/api/auth/me/tokens', { name: 'router', permissions: ['ddns:update'] })
  t.equal(made.status, 201)
  const update = () =>
    app.inject({
      method: 'GET',
      url: '/nic/update?hostname=home.example.com&myip=198.51.100.1',
      headers: {
        authorization: `Basic ${Buffer.from(`wanda:${made.body.token}`).toString('base64')}`,
        'user-agent': 'a router',
      },
    })
  t.match((await update()).body, /^good/)
  t.same(there('home', 'A'), ['198.51.100.1'])
  await olga.put(`/api/domains/${domainId}`, { reviewExempt: ['acme'] })
  const refused = await app.inject({
    method: 'GET',
    url: '/nic/update?hostname=home.example.com&myip=198.51.100.2',
    headers: {
      authorization: `Basic ${Buffer.from(`wanda:${made.body.token}`).toString('base64')}`,
      'user-agent': 'a router',
    },
  })
  t.notMatch(refused.body, /^(good|nochg)/)
  t.same(there('home', 'A'), ['198.51.100.1'], 'and nothing was changed')
})
