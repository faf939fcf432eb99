import t from 'tap'
import { startZone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, url, there } = zone

void t.test('each write returns the change that the history shows', async (t) => {
  const latest = async () =>
    (await admin.get(`/api/domains/${zone.domainId}/changes?limit=1`)).body.changes[0].id as string
  const own = { recordType: 'TXT', name: 'change-id', value: 'one' }
  for (const base of [url, url.replace('/api/', '/api/v1/')]) {
    const made = await admin.post(base, own)
    t.match(made, { status: 201, body: { changeId: await latest() } })
    const changed = await admin.put(`${base}/${made.body.id}`, { value: 'two' })
    t.match(changed, { status: 200, body: { changeId: await latest() } })
    t.not(changed.body.changeId, made.body.changeId)
    const unchanged = await admin.put(`${base}/${made.body.id}`, { value: 'two' })
    t.match(unchanged, { status: 200, body: { changeId: null } })
    const asPage = { headers: { origin: 'http://localhost:3000' } }
    const gone = await admin.delete(`${base}/${made.body.id}`, asPage)
    t.match(gone, { status: 204, headers: { 'change-id': await latest() } })
    t.match(gone.headers['access-control-expose-headers'], /\bChange-Id\b/)
    t.notOk((await admin.get(`${base}/${made.body.id}`)).body.changeId, 'a record that is read has none')
  }
  const bulk = await admin.post(`${url}/bulk`, { records: [own, { ...own, value: 'three' }] })
  t.match(bulk, { status: 200, body: { succeeded: 2, changeId: await latest() } })
  t.match(await admin.post(`${url}/bulk`, { records: [{}] }), { status: 200, body: { changeId: null } })
  for (const { id } of bulk.body.results) await admin.delete(`${url}/${id}`)
})

void t.test('every type: created, read, changed, deleted, at both ends', async (t) => {
  const cases: [type: string, given: string, shown: string, content: string, changed: string][] = [
    ['A', '192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ['AAAA', '2001:DB8::0:1', '2001:db8::1', '2001:db8::1', '2001:db8::2'],
    ['CNAME', 'Target.Example.NET.', 'target.example.net', 'target.example.net.', 'b.example.net'],
    ['NS', 'NS1.example.net', 'ns1.example.net', 'ns1.example.net.', 'ns2.example.net'],
    ['MX', '010 Mail.example.net.', '10 mail.example.net', '10 mail.example.net.', '20 b.example.net'],
    ['TXT', 'say "hi" \\ ü', 'say "hi" \\ ü', '"say \\"hi\\" \\\\ \\195\\188"', 'other'],
    [
      'SRV',
      '1 2 5060 Sip.example.net',
      '1 2 5060 sip.example.net',
      '1 2 5060 sip.example.net.',
      '1 3 5060 .',
    ],
    [
      'CAA',
      '0 ISSUE letsencrypt.org',
      '0 issue "letsencrypt.org"',
      '0 issue "letsencrypt.org"',
      '0 issue ";"',
    ],
  ]
  for (const [recordType, value, shown, content, changed] of cases) {
    const name = `type-${recordType.toLowerCase()}`
    const made = await admin.post(url, { recordType, name, value, ttl: 120 })
    t.match(made, { status: 201, headers: { location: `${url}/${made.body.id}` } }, recordType)
    const priority = recordType === 'MX' ? 10 : recordType === 'SRV' ? 1 : null
    const expected = {
      recordType,
      name,
      value: shown,
      ttl: 120,
      priority,
      proxied: false,
      status: 'active',
      version: 1,
    }
    t.match(made.body, { ...expected, domainId: zone.domainId, unicodeName: name })
    t.same(there(name, recordType), [content])
    const { body: list } = await admin.get(`${url}?search=${name}&type=${recordType}`)
    const { warnings, changeId, ...whole } = made.body
    t.ok(changeId)
    const { data, ...record } = whole
    t.ok(Object.keys(data).length > 0, 'its fields')
    t.match(list, { total: 1, page: 1, limit: 50, nextCursor: null })
    t.same(list.records, [record])
    t.same(warnings, [])
    t.same((await admin.get(`${url}/${made.body.id}`)).body, whole)
    const withData = await admin.get(`${url}?search=${name}&type=${recordType}&data=true`)
    t.same(withData.body.records, [whole])

    const put = await admin.put(`${url}/${made.body.id}`, { value: changed })
    t.match(put, { status: 200, body: { id: made.body.id, name, ttl: 120, value: changed, version: 2 } })
    t.equal(there(name, recordType).length, 1)
    t.notSame(there(name, recordType), [content])

    t.match(await admin.delete(`${url}/${made.body.id}`), { status: 204, body: '' })
    t.same(there(name, recordType), [])
    t.match(await admin.delete(`${url}/${made.body.id}`), { status: 404, body: { code: 'not_found' } })
  }
  t.match(await admin.get(url), { body: { total: 0 } })
  t.match(await admin.get(`/api/domains/${zone.domainId}`), { body: { recordCount: 0 } })
})

void t.test('a long TXT is cut into strings at the provider and whole here', async (t) => {
  const value = 'k'.repeat(2048)
  const { id } = await zone.add('TXT', 'long', value)
  const strings = there('long', 'TXT')[0]?.match(/"[^"]*"/g) ?? []
  t.same(
    strings.map((text) => text.length - 2),
    [...Array.from({ length: 8 }, () => 255), 8],
  )
  t.match(await admin.post(`/api/domains/${zone.domainId}/sync`), {
    body: { updated: 0, deleted: 0, created: 0 },
  })
  t.match((await admin.get(`${url}?search=long`)).body.records, [{ id, value }])
  const longer = await admin.post(url, { recordType: 'TXT', name: 'long', value: `${value}k` })
  t.match(longer, { status: 400, body: { errors: [{ path: '/value', message: /2048/ }] } })
})

void t.test('other values of an RRset stay, whoever created them', async (t) => {
  const { id } = await zone.add('A', 'shared', '192.0.2.1')
  const foreign = [{ content: '192.0.2.1' }, { content: '192.0.2.99' }]
  zone.fake.patch('example.com', [
    { name: 'shared.example.com.', type: 'A', ttl: 300, changetype: 'REPLACE', records: foreign },
  ])
  await zone.add('A', 'shared', '192.0.2.2')
  t.same(there('shared', 'A'), ['192.0.2.1', '192.0.2.2', '192.0.2.99'])
  await admin.put(`${url}/${id}`, { value: '192.0.2.3' })
  t.same(there('shared', 'A'), ['192.0.2.2', '192.0.2.3', '192.0.2.99'])
  await admin.delete(`${url}/${id}`)
  t.same(there('shared', 'A'), ['192.0.2.2', '192.0.2.99'])
})

void t.test('MX and SRV: the priority in either form, or both equal', async (t) => {
  const mx = async (value: string, priority?: number | null) =>
    admin.post(url, { recordType: 'MX', name: 'mx', value, ...(priority !== undefined && { priority }) })
  const first = await mx('mail.example.net', 5)
  t.match(first, { status: 201, body: { value: '5 mail.example.net', priority: 5 } })
  t.match(await mx('6 mail.example.net', 6), { status: 201, body: { priority: 6 } })
  t.match(await mx('7 mail.example.net', null), { status: 201, body: { priority: 7 } })
  t.match(await mx('8 mail.example.net', 9), { status: 400, body: { errors: [{ path: '/priority' }] } })
  t.match(await mx('mail.example.net'), { status: 400, body: { errors: [{ path: '/priority' }] } })
  t.match(await mx('mail.example.net', 65_536), { status: 400, body: { errors: [{ path: '/priority' }] } })
  t.match(await mx('5 mail.example.net'), { status: 409 }, 'the same record in the other form')
  const changed = await admin.put(`${url}/${first.body.id}`, { priority: 50 })
  t.match(changed, { status: 200, body: { value: '50 mail.example.net', priority: 50 } })
  const moved = await admin.put(`${url}/${first.body.id}`, { value: 'other.example.net' })
  t.match(moved, { status: 200, body: { value: '50 other.example.net', priority: 50 } })
  const srv = await admin.post(url, {
    recordType: 'SRV',
    name: '_sip._tcp',
    value: '2 5060 sip.example.net',
    priority: 1,
  })
  t.match(srv, { status: 201, body: { value: '1 2 5060 sip.example.net', priority: 1 } })
  t.same(there('_sip._tcp', 'SRV'), ['1 2 5060 sip.example.net.'])
})

void t.test('names: full, Unicode, wildcard, underscore', async (t) => {
  const cases = [
    ['Full.Example.com', 'full', 'full'],
    ['full2.example.com.', 'full2', 'full2'],
    ['bücher', 'xn--bcher-kva', 'bücher'],
    ['*', '*', '*'],
    ['*.dev', '*.dev', '*.dev'],
    ['_dmarc', '_dmarc', '_dmarc'],
    ['@', '@', '@'],
    ['a.b.c', 'a.b.c', 'a.b.c'],
  ]
  for (const [given = '', name = '', unicodeName = ''] of cases) {
    const answer = await admin.post(url, { recordType: 'A', name: given, value: '192.0.2.10' })
    t.match(answer, { status: 201, body: { name, unicodeName } }, given)
    t.same(there(name, 'A'), ['192.0.2.10'], given)
  }
  for (const name of [
    'a.*',
    'a*',
    'x.example.net.',
    '-a',
    'a..b',
    'a b',
    '',
    'a'.repeat(64),
    'a/b',
    '\u0007',
  ]) {
    const answer = await admin.post(url, { recordType: 'A', name, value: '192.0.2.10' })
    t.match(answer, { status: 400, body: { errors: [{ path: '/name' }] } }, JSON.stringify(name))
  }
})

void t.test('wrong bodies name the field and do not reach the provider', async (t) => {
  const before = zone.fake.requests.length
  const valid = { recordType: 'A', name: 'wrong', value: '192.0.2.1' }
  const wrong: [string, unknown][] = [
    ['recordType', 'NOPE'],
    ['recordType', null],
    ['value', 5],
    ['value', ''],
    ['ttl', '300'],
    ['ttl', -1],
    ['ttl', 1.5],
    ['ttl', 2 ** 31],
    ['priority', '5'],
    ['priority', 5],
    ['proxied', true],
    ['proxied', 'yes'],
    ['name', null],
  ]
  for (const [field, value] of wrong) {
    const answer = await admin.post(url, { ...valid, [field]: value })
    t.match(
      answer,
      { status: 400, body: { code: 'validation_failed', errors: [{ path: `/${field}` }] } },
      `${field} ${String(value)}`,
    )
  }
  t.match(await admin.post(url, {}), { status: 400 })
  t.match(await admin.post(url, [valid]), { status: 400 })
  t.match(await admin.post(`/api/domains/x/records`, valid), { status: 400 })
  t.match(await admin.post('/api/domains/0192f0a0-0000-7000-8000-0000000000ff/records', valid), {
    status: 404,
  })
  t.equal(zone.fake.requests.length, before)
})

void t.test('an old version is refused with the current record', async (t) => {
  const { id, version } = await zone.add('A', 'versioned', '192.0.2.1')
  t.equal(version, 1)
  const one = `${url}/${id}`
  const ifMatch = (value: string) => ({ headers: { 'if-match': value } })
  t.match(await admin.put(one, { value: '192.0.2.2' }, ifMatch('"1"')), { status: 200, body: { version: 2 } })
  const old = await admin.put(one, { value: '192.0.2.3' }, ifMatch('"1"'))
  t.match(old, {
    status: 412,
    body: { code: 'precondition_failed', current: { id, version: 2, value: '192.0.2.2', recordType: 'A' } },
  })
  t.match(await admin.put(one, { value: '192.0.2.3', version: 1 }), {
    status: 409,
    body: { current: { version: 2 } },
  })
  t.match(await admin.delete(one, ifMatch('1')), { status: 412, body: { current: { version: 2 } } })
  t.match(await admin.put(one, { value: '192.0.2.3', version: 2 }, ifMatch('"1"')), { status: 400 })
  t.match(await admin.put(one, { value: '192.0.2.3' }, ifMatch('first')), {
    status: 400,
    body: { errors: [{ path: '/if-match', message: /ETag/ }] },
  })
  t.same(there('versioned', 'A'), ['192.0.2.2'])
  t.match(await admin.put(one, { value: '192.0.2.3', version: 2 }), { status: 200, body: { version: 3 } })
  t.match(await admin.put(`${url}/${id.toUpperCase()}`, { ttl: 60 }), {
    status: 200,
    body: { version: 4, id },
  })
  const { etag } = (await admin.get(one)).headers
  t.match(await admin.put(one, { ttl: 90 }, ifMatch(String(etag))), { status: 200, body: { version: 5 } })
  t.match(await admin.put(one, { ttl: 60 }, ifMatch(String(etag))), {
    status: 412,
    body: { current: { version: 5 } },
  })
  t.match(await admin.delete(one, ifMatch('*')), { status: 204 })
  t.match(await admin.get(one), { status: 404, body: { code: 'not_found' } })
})

void t.test('an update that changes nothing does not call the provider', async (t) => {
  const { id } = await zone.add('A', 'same', '192.0.2.1')
  const calls = zone.fake.requests.length
  const whole = (await admin.get(`${url}?search=same`)).body.records[0]
  const answer = await admin.put(`${url}/${id}`, { ...whole, name: 'SAME.example.com' })
  t.match(answer, { status: 200, body: whole })
  t.equal(zone.fake.requests.length, calls)
  t.match(await admin.put(`${url}/${id}`, {}), { status: 400 })
})

void t.test('one TTL for an RRset: the siblings follow, and the answer says so', async (t) => {
  const first = await zone.add('A', 'ttl', '192.0.2.1')
  const second = await admin.post(url, { recordType: 'A', name: 'ttl', value: '192.0.2.2', ttl: 600 })
  t.match(second, { status: 201, body: { ttl: 600, warnings: [/share one TTL, which is now 600/] } })
  const { body } = await admin.get(`${url}?search=ttl`)
  t.same(
    body.records.map(({ ttl }: { ttl: number }) => ttl),
    [600, 600],
  )
  t.match(
    body.records.find(({ id }: { id: string }) => id === first.id),
    { version: 2 },
  )
  const third = await admin.post(url, { recordType: 'A', name: 'ttl', value: '192.0.2.3' })
  t.match(third, { body: { ttl: 600, warnings: { length: 0 } } })
})

void t.test('Idempotency-Key: a repeat does nothing again', async (t) => {
  const body = { recordType: 'A', name: 'once', value: '192.0.2.1' }
  const options = { headers: { 'idempotency-key': 'key-1' } }
  const first = await admin.post(url, body, options)
  const second = await admin.post(url, body, options)
  t.match(first, { status: 201 })
  t.same([second.status, second.body], [201, first.body])
  t.match(await admin.post(url, { ...body, name: 'twice' }, options), { status: 409 })
  t.match(await admin.post(url, body), { status: 409 }, 'without the key it is a duplicate')
})
