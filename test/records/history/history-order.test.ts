import { sql } from 'kysely'
import t from 'tap'
import { startZone, type Zone } from '../../helpers/zone.ts'

/* The clock was an hour ahead for a while: what was written then carries times that come only now. */

/** As a clock that was an hour ahead would have stamped the last change. */
const stampAhead = ({ database: { db }, domainId }: Zone) =>
  sql`
    update changes set created_at = created_at + interval '1 hour', settled_at = settled_at + interval '1 hour'
    where id = (select id from changes where domain_id = ${domainId} order by seq desc limit 1)
  `.execute(db)

const history = async ({ admin, domainId }: Zone, query = '') =>
  (await admin.get(`/api/domains/${domainId}/changes?${query}`)).body
const namesIn = ({ changes }: { changes: { items: { after: { name: string } }[] }[] }) =>
  changes.map(({ items }) => items[0]?.after.name)

void t.test('history is in the order of events, across pages', async (t) => {
  const zone = await startZone(t)
  await zone.add('A', 'first', '192.0.2.1')
  await zone.add('A', 'ahead', '192.0.2.2')
  await stampAhead(zone)
  await zone.add('A', 'last', '192.0.2.3')
  t.same(namesIn(await history(zone)), ['last', 'ahead', 'first'])
  const page = await history(zone, 'limit=1')
  const next = await history(zone, `limit=1&cursor=${page.nextCursor}`)
  const end = await history(zone, `limit=1&cursor=${next.nextCursor}`)
  t.same([page, next, end].flatMap(namesIn), ['last', 'ahead', 'first'])
})

void t.test('a restore keeps what was changed before that time', async (t) => {
  const zone = await startZone(t)
  const record = await zone.add('A', 'www', '192.0.2.1')
  const put = (value: string) => zone.admin.put(`${zone.url}/${record.id}`, { value })
  await put('192.0.2.2')
  await stampAhead(zone)
  await put('192.0.2.3')
  const at = new Date().toISOString()
  await put('192.0.2.4')
  const restored = await zone.admin.post(`/api/domains/${zone.domainId}/restore`, { at, apply: true })
  t.match(restored, { status: 200, body: { updates: [{ after: { value: '192.0.2.3' } }] } })
  t.same(await zone.here(), ['www A 192.0.2.3'])
})

void t.test('unchanged records next to an old change', async (t) => {
  const zone = await startZone(t)
  await zone.add('A', 'www', '192.0.2.1')
  await stampAhead(zone)
  const { id } = (await history(zone)).changes[0]
  await zone.add('A', 'www', '192.0.2.2')
  const last = (await history(zone)).changes[0].id
  const read = async (change: string) =>
    (await zone.admin.get(`/api/domains/${zone.domainId}/changes/${change}?unchanged=true`)).body.unchanged
  t.match(await read(id), { length: 0 })
  t.match(await read(last), [{ value: '192.0.2.1' }])
})

void t.test('a sync sees what changed at the provider since then', async (t) => {
  const zone = await startZone(t)
  await zone.add('A', 'www', '192.0.2.1')
  await stampAhead(zone)
  zone.fake.patch('example.com', [{ name: 'www.example.com.', type: 'A', changetype: 'DELETE' }])
  t.match(await zone.admin.post(`/api/domains/${zone.domainId}/sync`), { body: { deleted: 1 } })
})
