import t from 'tap'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { startZone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, url } = zone
const post = (recordType: string, name: string, value: string, more: object = {}) =>
  admin.post(url, { recordType, name, value, ...more })

void t.test('a conflict names the conflicting record, and the provider is not called', async (t) => {
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
  t.match(await admin.put(`${url}/${a.id}`, { name: 'alias' }), {
    status: 409,
    body: { record: { id: cname.id } },
  })
  t.equal(zone.fake.requests.length, calls)
})

void t.test('NS at the apex can be changed, except for the last one', async (t) => {
  const records = [{ content: 'ns1.example.net.' }]
  zone.fake.patch('example.com', [
    { name: 'example.com.', type: 'NS', ttl: 300, changetype: 'REPLACE', records },
  ])
  t.match(await admin.post(`/api/domains/${zone.domainId}/sync`), { body: { created: 1 } })
  const [ns] = (await admin.get(`${url}?type=NS`)).body.records
  t.match(ns, { name: '@', value: 'ns1.example.net' })
  t.match(await admin.put(`${url}/${ns.id}`, { ttl: 60 }), { status: 200 })
  const last = { status: 409, body: { reason: 'last_apex_ns', record: { id: ns.id } } }
  t.match(await admin.delete(`${url}/${ns.id}`), last)
  t.match(await admin.put(`${url}/${ns.id}`, { name: 'moved' }), { status: 409 })
  const second = await post('NS', '@', 'ns2.example.net')
  t.match(second, { status: 201, body: { ttl: 60 } })
  t.equal((await admin.delete(`${url}/${ns.id}`)).status, 204)
  t.same(zone.there('@', 'NS'), ['ns2.example.net.'])
  const changes = [
    { action: 'delete', recordId: second.body.id },
    { action: 'create', recordType: 'NS', name: '@', value: 'ns3.example.net' },
  ]
  t.match(await admin.post(`${url}/apply`, { changes }), { status: 200 }, 'one for the other')
  t.same(zone.there('@', 'NS'), ['ns3.example.net.'])
  t.match(await post('NS', 'sub', 'ns1.example.net'), { status: 201 }, 'a delegation is the user’s')
})

void t.test('warnings: allowed, but probably a mistake', async (t) => {
  const warnings = async (type: string, name: string, value: string) => {
    const answer = await post(type, name, value)
    t.equal(answer.status, 201, `${name} ${type} ${value}`)
    return answer.body.warnings
  }
  t.match(await warnings('CNAME', 'w1', 'nowhere.example.com'), [/nowhere, which does not exist/])
  t.match(await warnings('MX', 'w2', '10 nowhere.example.com'), [/does not exist/])
  t.match(await warnings('SRV', '_x._tcp', '1 1 80 nowhere.example.com'), [/does not exist/])
  t.same(await warnings('CNAME', 'w3', 'www.example.com'), [])
  t.same(await warnings('CNAME', 'w4', 'www.example.net'), [], 'other zones are not ours to judge')
  t.match(await warnings('CNAME', 'w5', 'alias.example.com'), [/points to another CNAME/])
  t.match(await warnings('MX', 'w6', '10 alias.example.com'), [/points to a CNAME; MX must not/])
  await zone.add('A', '*.wild', '192.0.2.1')
  t.same(await warnings('CNAME', 'w7', 'any.thing.wild.example.com'), [], 'a wildcard answers for it')
  t.match(await warnings('TXT', '@', 'v=spf1 include:a.example +all'), [/SPF/])
  t.match(await warnings('TXT', '_dmarc', 'v=DMARC1; p=perhaps'), [/DMARC/])
  t.same(await warnings('TXT', 'spf-ok', 'v=spf1 -all'), [])
})

void t.test('warnings about combinations of records', async (t) => {
  const own = await startZone(t, { app: zone, name: 'together.example' })
  const warnings = async (type: string, name: string, value: string) => {
    const wanted = { recordType: type, name, value }
    const planned = await own.admin.post(`${own.url}/plan`, { changes: [{ action: 'create', ...wanted }] })
    const answer = await own.admin.post(own.url, wanted)
    t.equal(answer.status, 201, `${name} ${type} ${value}`)
    const said = planned.body.warnings.map(({ message }: { message: string }) => message)
    t.same(said, answer.body.warnings, 'the plan says the same')
    return answer.body.warnings
  }
  t.match(await warnings('NS', '*.w', 'ns1.example.net'), [/refuse zones with NS at a wildcard/])
  t.same(await warnings('TXT', '@', 'v=spf1 -all'), [])
  t.match(await warnings('TXT', '@', 'v=spf1 mx -all'), [/more than one SPF record/])
  t.same(await warnings('TXT', '@', 'something else'), [])
  t.same(await warnings('TXT', '_dmarc', 'v=DMARC1; p=none'), [])
  t.match(await warnings('TXT', '_dmarc', 'v=DMARC1; p=reject'), [/more than one DMARC record/])
  t.same(await warnings('MX', 'none', '0 .'), [])
  t.match(await warnings('MX', 'none', '10 mail.example.net'), [/null MX/])

  await own.add('TXT', 'x.sub', 'hidden soon')
  await own.add('A', 'ns.sub', '192.0.2.53')
  t.match(await warnings('NS', 'sub', 'ns.sub.together.example'), [
    /delegation of sub hides 1 records of this zone, such as x\.sub TXT/,
  ])
  t.same(await warnings('AAAA', 'ns.sub', '2001:db8::53'), [], 'glue')
  t.match(await warnings('A', 'y.sub', '192.0.2.1'), [/y\.sub A .* because sub is delegated/])
  t.same(await warnings('NS', 'sub', 'ns2.example.net'), [
    'The delegation of sub hides 2 records of this zone, such as x.sub TXT hidden soon',
  ])

  await own.add('MX', '@', '10 mail.together.example')
  t.match(await warnings('CNAME', 'mail', 'other.example.net'), [
    /@ MX 10 mail\.together\.example points to mail, which is a CNAME/,
  ])
})

void t.test('the database enforces the rules as well', async (t) => {
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
  t.match(await get('page=7&limit=2'), {
    records: { length: 0 },
    total: 6,
    page: 7,
    limit: 2,
    nextCursor: null,
  })
  t.match(await get('limit=2&page=2&type=A'), { total: 4, records: [{ name: 'host-1' }, { name: 'host-2' }] })
  t.same(await names('search=HOST-3'), ['host-3'])
  t.same(await names('search=host-3.'), ['host-3'])
  t.same(await names('search=%25'), [])
  t.same(await names('search=_'), [])
  t.same(await names('search=%40'), ['@'])
  t.match(await get('limit=1&search=host'), { total: 5 })
  t.same(await names('sort=createdAt&order=desc&limit=2'), ['@', 'host-4'])
  t.same(await names('sort=type&order=desc&type=TXT'), ['host-4', 'host-3'])
  for (const query of ['type=NOPE', 'limit=0', 'limit=1001', 'page=0', 'sort=ttl', 'order=x']) {
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

void t.test('errors of the schema and of values come in one answer', async (t) => {
  const told = ({ status, body }: { status: number; body: unknown }) => {
    t.equal(status, 400)
    return (body as { errors: { path: string; code: string }[] }).errors.map(({ path }) => path).sort()
  }
  const wrong = { recordType: 'A', name: 'bad..name', value: '999.0.2.1', ttl: '300' }
  t.same(told(await admin.post(url, wrong)), ['/name', '/ttl', '/value'])
  t.same(told(await admin.post(url, { ...wrong, ttl: 300 })), ['/name', '/value'])
  t.same(told(await admin.post(url, { ...wrong, recordType: 'X' })), ['/name', '/recordType', '/ttl'])
  t.same(told(await admin.post(url, { ...wrong, value: 7 })), ['/name', '/ttl', '/value'])
  t.same(told(await admin.post(url, { value: '192.0.2.1' })), ['/name', '/recordType'])
  t.same(told(await admin.post(url, [wrong])), [''])
  const { id } = await zone.add('A', 'judged', '192.0.2.1')
  t.same(told(await admin.put(`${url}/${id}`, { value: 'x', comment: 1 })), ['/comment', '/value'])
  t.same(told(await admin.put(`${url}/${id}`, { ttl: 60, comment: 1 })), ['/comment'])

  const changes = [
    { action: 'create', recordType: 'A', name: 'judged2', value: '192.0.2.1' },
    { action: 'create', ...wrong },
    { action: 'update', recordId: id, value: 'x' },
    { action: 'eat', name: 'bad..name' },
    { action: 'create', recordType: 'MX', name: '@' },
    { action: 'delete' },
    7,
  ]
  for (const path of ['plan', 'apply']) {
    t.same(told(await admin.post(`${url}/${path}`, { changes })), [
      '/changes/1/name',
      '/changes/1/ttl',
      '/changes/1/value',
      '/changes/2/value',
      '/changes/3/action',
      '/changes/4/value',
      '/changes/5/recordId',
      '/changes/6',
    ])
  }
  const many = Array.from({ length: 400 }, (_, i) => ({
    action: 'create',
    recordType: 'A',
    name: i,
    value: 'x',
  }))
  t.same(told(await admin.post(`${url}/plan`, { changes: many })).length, 1, 'of many the first')
  t.equal((await admin.get(`${url}?search=judged2`)).body.total, 0)
})
