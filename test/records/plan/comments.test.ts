import t from 'tap'
import { startZone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, url, domainId } = zone
const changes = async () => (await admin.get(`/api/domains/${domainId}/changes`)).body.changes

void t.test('a comment is kept here, and nothing is sent for it', async (t) => {
  const { id } = await zone.add('A', 'www', '192.0.2.1', { comment: 'the shop' })
  t.match(await admin.get(url), { body: { records: [{ id, comment: 'the shop' }] } })
  const calls = zone.fake.requests.length
  const changed = await admin.put(`${url}/${id}`, { comment: 'moves\nin May' })
  t.match(changed, { status: 200, body: { comment: 'moves\nin May', version: 2, status: 'active' } })
  t.equal(zone.fake.requests.length, calls)
  const [last] = await changes()
  t.match(last.items, [{ before: { comment: 'the shop' }, after: { comment: 'moves\nin May' } }])

  const reverted = await admin.post(`/api/domains/${domainId}/changes/${last.id}/revert`)
  t.match(reverted, { status: 200, body: { applied: true } })
  t.match(await admin.get(url), { body: { records: [{ id, comment: 'the shop' }] } })
  t.match(await admin.put(`${url}/${id}`, { comment: 'x'.repeat(501) }), { status: 400 })
})

void t.test('a comment survives other changes, syncs and a reverted delete', async (t) => {
  const { id } = await zone.add('A', 'kept', '192.0.2.1', { comment: 'stays' })
  t.match(await admin.put(`${url}/${id}`, { ttl: 600 }), { body: { comment: 'stays', ttl: 600 } })
  const records = [{ content: '192.0.2.1', disabled: false }]
  zone.fake.patch('example.com', [
    { name: 'kept.example.com.', type: 'A', ttl: 900, changetype: 'REPLACE', records },
  ])
  t.match(await admin.post(`/api/domains/${domainId}/sync`), { body: { updated: 1 } })
  t.match(await admin.get(`${url}?search=kept`), { body: { records: [{ comment: 'stays', ttl: 900 }] } })
  await admin.delete(`${url}/${id}`)
  const [last] = await changes()
  await admin.post(`/api/domains/${domainId}/changes/${last.id}/revert`)
  t.match(await admin.get(`${url}?search=kept`), { body: { records: [{ comment: 'stays', ttl: 900 }] } })
})
