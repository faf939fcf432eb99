import t from 'tap'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { startZone } from '../helpers/zone.ts'

const zone = await startZone(t)
const { admin, url } = zone
const post = (recordType: string, name: string, value: string, more: object = {}) =>
  admin.post(url, { recordType, name, value, ...more })

void t.test('a conflict names the record in the way, and the provider is not called', async (t) => {
  const cname = await zone.add('CNAME', 'alias', 'target.example.net')
  const a = await zone.add('A', 'www', '192.0.2.1')
  const calls = zone.fake.requests.length
  t.match(await post('A', 'alias', '192.0.2.1'), {
    status: 409,
    body: {
      code: 'conflict',
      detail: /alias CNAME target.example.net/,
      record: { id: cname.id, recordType: 'CNAME' },
    },
  })
  t.match(await post('CNAME', 'www', 'x.example.net'), { status: 409, body: { record: { id: a.id } } })
  t.match(await post('CNAME', 'alias', 'y.example.net'), { status: 409, body: { record: { id: cname.id } } })
  t.match(await post('A', 'www', '192.0.2.1', { ttl: 60 }), { status: 409, body: { record: { id: a.id } } })
  t.match(await post('CNAME', '@', 'x.example.net'), { status: 409, body: { detail: /apex/ } })
  t.match(await post('NS', '@', 'ns9.example.net'), { status: 409, body: { detail: /provider's own/ } })
  t.match(await admin.put(`${url}/${a.id}`, { name: 'alias' }), {
    status: 409,
    body: { record: { id: cname.id } },
  })
  t.match(await admin.put(`${url}/${a.id}`, { name: '@', recordType: 'NS', value: 'ns9.example.net' }), {
    status: 409,
  })
  t.equal(zone.fake.requests.length, calls)
})

void t.test('NS at the apex: shown, and the provider’s own', async (t) => {
  const records = [{ content: 'ns1.example.net.' }]
  zone.fake.patch('example.com', [
    { name: 'example.com.', type: 'NS', ttl: 300, changetype: 'REPLACE', records },
  ])
  t.match(await admin.post(`/api/domains/${zone.domainId}/sync`), { body: { created: 1 } })
  const [ns] = (await admin.get(`${url}?type=NS`)).body.records
  t.match(ns, { name: '@', value: 'ns1.example.net' })
  t.match(await admin.put(`${url}/${ns.id}`, { ttl: 60 }), { status: 409, body: { record: { id: ns.id } } })
  t.match(await admin.delete(`${url}/${ns.id}`), { status: 409 })
  t.match(await post('NS', 'sub', 'ns1.example.net'), { status: 201 }, 'a delegation is the user’s')
})

void t.test('warnings: allowed, and most likely not meant', async (t) => {
  const warnings = async (type: string, name: string, value: string) => {
    const answer = await post(type, name, value)
    t.equal(answer.status, 201, `${name} ${type} ${value}`)
    return answer.body.warnings
  }
  t.match(await warnings('CNAME', 'w1', 'nowhere.example.com'), [/nowhere, which this zone does not have/])
  t.match(await warnings('MX', 'w2', '10 nowhere.example.com'), [/does not have/])
  t.match(await warnings('SRV', '_x._tcp', '1 1 80 nowhere.example.com'), [/does not have/])
  t.same(await warnings('CNAME', 'w3', 'www.example.com'), [])
  t.same(await warnings('CNAME', 'w4', 'www.example.net'), [], 'other zones are not ours to judge')
  t.match(await warnings('CNAME', 'w5', 'alias.example.com'), [/points to another CNAME/])
  t.match(await warnings('MX', 'w6', '10 alias.example.com'), [/points to a CNAME, which MX must not/])
  await zone.add('A', '*.wild', '192.0.2.1')
  t.same(await warnings('CNAME', 'w7', 'any.thing.wild.example.com'), [], 'a wildcard answers for it')
  t.match(await warnings('TXT', '@', 'v=spf1 include:a.example +all'), [/SPF/])
  t.match(await warnings('TXT', '_dmarc', 'v=DMARC1; p=perhaps'), [/DMARC/])
  t.same(await warnings('TXT', 'spf-ok', 'v=spf1 -all'), [])
})

void t.test('the database holds the rules too', async (t) => {
  const insert = (name: string, type: string, value: string) =>
    sql`insert into records (id, domain_id, name, type, value, ttl, status)
      values (${uuidv7()}, ${zone.domainId}, ${name}, ${type}, ${value}, 300, 'active')`.execute(
      zone.database.db,
    )
  await insert('direct', 'CNAME', 'a.example.net')
  await t.rejects(insert('direct', 'A', '192.0.2.1'), /records_cname_alone/)
  await t.rejects(insert('direct', 'CNAME', 'b.example.net'), /records_one_cname/)
  await insert('plain', 'A', '192.0.2.1')
  await t.rejects(insert('plain', 'CNAME', 'a.example.net'), /records_cname_alone/)
  await t.rejects(insert('plain', 'A', '192.0.2.1'), /records_no_duplicate/)
  await t.resolves(insert('plain', 'A', '192.0.2.2'))
  const long = 'x'.repeat(2048)
  await t.resolves(insert('plain', 'TXT', long))
  await t.rejects(insert('plain', 'TXT', long), /records_no_duplicate/)
})

void t.test('lists: pages, filters, order, exact totals', async (t) => {
  const other = await startZone(t, { app: zone })
  for (const [i, type] of ['A', 'A', 'A', 'TXT', 'TXT'].entries()) {
    await other.add(type, `Host-${i}`, type === 'A' ? `192.0.2.${i}` : `text ${i}`)
  }
  await other.add('A', '@', '192.0.2.77')
  const get = async (query: string) => (await other.admin.get(`${other.url}?${query}`)).body
  const names = async (query: string) => (await get(query)).records.map(({ name }: { name: string }) => name)
  t.match(await get(''), { total: 6, page: 1, limit: 50 })
  t.same(await get('page=7&limit=2'), { records: [], total: 6, page: 7, limit: 2 })
  t.match(await get('limit=2&page=2&type=A'), { total: 4, records: [{ name: 'host-1' }, { name: 'host-2' }] })
  t.same(await names('search=HOST-3'), ['host-3'])
  t.same(await names('search=host-3.'), ['host-3'])
  t.same(await names('search=%25'), [])
  t.same(await names('search=_'), [])
  t.same(await names('search=%40'), ['@'])
  t.match(await get('limit=1&search=host'), { total: 5 })
  t.same(await names('sort=createdAt&order=desc&limit=2'), ['@', 'host-4'])
  t.same(await names('sort=type&order=desc&type=TXT'), ['host-4', 'host-3'])
  for (const query of ['type=PTR', 'limit=0', 'limit=201', 'page=0', 'sort=ttl', 'order=x']) {
    t.match(await other.admin.get(`${other.url}?${query}`), { status: 400 }, query)
  }
  t.match(await get('limit=1&type=TXT'), { total: 2 })
  await other.add('TXT', 'more', 'x')
  t.match(await get('limit=1&type=TXT'), { total: 3 }, 'a remembered total ends with the next write')
  const { id } = (await get('type=TXT&search=more')).records[0]
  await other.admin.put(`${other.url}/${id}`, { recordType: 'A', value: '192.0.2.200' })
  t.match(await get('limit=1&type=TXT'), { total: 2 })
  await other.admin.delete(`${other.url}/${id}`)
  t.match(await get('limit=1&type=A'), { total: 4 })
})
