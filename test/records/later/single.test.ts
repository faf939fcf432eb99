import t from 'tap'
import { startLaterZone } from './later-zone.ts'

/* `applyAt` and `confirmWithin` on the routes of a single record, and on the zone as a file. */

const zone = await startLaterZone(t)
const { olga, rita, url, domainId, changes, there, change, comes, becomes, passes, ends, inMinutes } = zone

const record = (name: string, value = '192.0.2.1') => ({ recordType: 'A', name, value, ttl: 300 })
const token = await olga.post('/api/auth/me/tokens', { name: 'single', permissions: ['records:write'] })
const headers = { authorization: `Bearer ${token.body.token}` }
const byToken = `/api/v1/domains/${domainId}/records`

void t.test('a record is created, changed and deleted at its time', async (t) => {
  const { id } = await zone.add('A', 'changed', '192.0.2.1')
  const { id: gone } = await zone.add('A', 'gone', '192.0.2.1')
  const applyAt = inMinutes(60)
  const query = `applyAt=${encodeURIComponent(applyAt)}&confirmWithin=5`
  const created = await olga.post(url, { ...record('new'), applyAt })
  const updated = await olga.put(`${url}/${id}`, { value: '192.0.2.9', applyAt })
  const deleted = await olga.delete(`${url}/${gone}?${query}`)
  const place = { name: 'new', value: '192.0.2.1' }
  t.match(created, {
    status: 202,
    body: { scheduled: true, applied: false, applyAt, creates: [{ after: place }] },
  })
  t.match(updated, { status: 202, body: { scheduled: true, updates: [{ after: { value: '192.0.2.9' } }] } })
  t.match(deleted, {
    status: 202,
    body: { scheduled: true, confirmWithin: 5, deletes: [{ recordId: gone }] },
  })
  t.equal(created.headers['location'], `${changes}/${created.body.changeId}`)
  t.same([there('new', 'A'), there('changed', 'A'), there('gone', 'A')], [[], ['192.0.2.1'], ['192.0.2.1']])
  for (const { body } of [created, updated, deleted]) {
    await comes(body.changeId)
    await becomes(body.changeId, 'applied')
  }
  t.same([there('new', 'A'), there('changed', 'A'), there('gone', 'A')], [['192.0.2.1'], ['192.0.2.9'], []])
  t.match(await change(deleted.body.changeId), { confirmation: { status: 'unconfirmed' } })
})

void t.test('a refusal is that of a single record, and nothing waits', async (t) => {
  const { id, version } = await zone.add('A', 'taken', '192.0.2.1')
  const applyAt = inMinutes(5)
  const before = (await olga.get(`${changes}?status=scheduled`)).body.total
  for (const [answer, expected] of [
    [
      await olga.post(url, { ...record('taken'), applyAt }),
      { status: 409, body: { reason: 'exists', record: { id } } },
    ],
    [
      await olga.post(url, { ...record('bad', 'x'), applyAt }),
      { status: 400, body: { errors: [{ path: '/value' }] } },
    ],
    [
      await olga.put(`${url}/${id}`, { value: '192.0.2.3', version: version + 1, applyAt }),
      { status: 409, body: { current: { id } } },
    ],
    [await olga.put(`${url}/${id}`, { applyAt }), { status: 409, body: { reason: 'nothing_to_change' } }],
    [
      await olga.delete(`${url}/${id}?applyAt=${inMinutes(-5)}`),
      { status: 400, body: { errors: [{ path: '/applyAt' }] } },
    ],
    [await rita.post(url, { ...record('mine'), applyAt }), { status: 403 }],
  ] as const)
    t.match(answer, expected)
  t.equal((await olga.get(`${changes}?status=scheduled`)).body.total, before)
})

void t.test('each must be confirmed, or is reverted', async (t) => {
  const confirmWithin = 5
  const created = await olga.post(byToken, { ...record('kept'), confirmWithin }, { headers })
  t.match(created, { status: 201, body: { name: 'kept', changeId: String, confirmBy: String } })
  const updated = await olga.put(`${url}/${created.body.id}`, { ttl: 600, confirmWithin })
  t.match(updated, { status: 200, body: { ttl: 600, confirmBy: String } })
  const { id } = await zone.add('A', 'back', '192.0.2.1')
  const deleted = await olga.delete(`${url}/${id}?confirmWithin=${confirmWithin}`)
  t.equal(deleted.status, 204)
  t.ok(Date.parse(String(deleted.headers['confirm-by'])) > Date.now())
  const changeId = String(deleted.headers['change-id'])
  t.equal((await olga.post(`${changes}/${created.body.changeId}/confirm`)).status, 200)
  for (const one of [changeId, updated.body.changeId]) {
    await passes(one, { end: true })
    await ends(one, 'reverted')
  }
  t.same(there('back', 'A'), ['192.0.2.1'])
  t.match((await olga.get(`${url}/${created.body.id}`)).body, { ttl: 300 })
})

void t.test('answers without them stay as they were', async (t) => {
  const created = await olga.post(url, record('plain'))
  t.equal(created.status, 201)
  t.notOk('confirmBy' in created.body)
  const deleted = await olga.delete(`${url}/${created.body.id}`)
  t.match(deleted, { status: 204, headers: { 'change-id': String, 'confirm-by': undefined } })
})

void t.test('by token, a repeat with the same key schedules once', async (t) => {
  const keyed = { ...headers, 'idempotency-key': 'schedule-once' }
  const post = () => olga.post(byToken, { ...record('token'), applyAt }, { headers: keyed })
  const applyAt = inMinutes(5)
  const [first, second] = [await post(), await post()]
  t.match(first, { status: 202, body: { scheduled: true } })
  t.match(second, { status: 202, body: { changeId: first.body.changeId } })
})

void t.test('a zone file waits, unless the zone changed since it was read', async (t) => {
  const path = `/api/domains/${domainId}/zone`
  const read = await olga.get(path)
  const put = (etag: unknown) =>
    olga.put(
      `${path}?apply=true&applyAt=${inMinutes(5)}&confirmWithin=7`,
      `${read.body}\nfile 300 IN A 192.0.2.7\n`,
      {
        headers: { 'content-type': 'text/dns', 'if-match': String(etag) },
      },
    )
  const scheduled = await put(read.headers['etag'])
  t.match(scheduled, { status: 200, body: { plan: { scheduled: true, applied: false, confirmWithin: 7 } } })
  t.same(there('file', 'A'), [])
  await zone.add('A', 'since', '192.0.2.1')
  t.equal((await put(read.headers['etag'])).status, 412)
  const { changeId } = scheduled.body.plan
  await comes(changeId)
  await becomes(changeId, 'applied')
  t.same(there('file', 'A'), ['192.0.2.7'])
})
