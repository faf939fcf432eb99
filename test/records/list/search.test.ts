import t from 'tap'
import { addDomain, addManual, startZone } from '../../helpers/zone.ts'

const zone = await startZone(t)
const { admin, addUser, signIn } = zone
await addUser('ada')
const ada = await signIn('ada')
await zone.add('A', 'www', '192.0.2.10')
await zone.add('AAAA', 'six', '2001:db8::10')
await zone.add('AAAA', 'mapped', '::ffff:192.0.2.10')
await zone.add('TXT', '@', 'Some Text 100%')
await zone.add('MX', '@', '10 mail.other.net')
await zone.add('A', '*.wild', '192.0.2.11')
await zone.add('CNAME', 'bücher', 'www.example.com')
await zone.add('A', 'x', '192.0.2.12')
const theirs = await addDomain(ada, await addManual(ada), 'secret.example')
await ada.post(`/api/domains/${theirs.id}/records`, { recordType: 'A', name: 'www', value: '192.0.2.10' })

const search = async (q: string, client = admin) => {
  const { status, body } = await client.get(`/api/records/search?q=${encodeURIComponent(q)}`)
  t.equal(status, 200, q)
  const records = body.records as { name: string; recordType: string; domainName: string }[]
  t.equal(body.total, records.length, q)
  return records.map(({ name, recordType, domainName }) => `${name} ${recordType} ${domainName}`)
}

void t.test('by name, value, full name and address', async (t) => {
  const both = ['www A example.com', 'www A secret.example']
  const cases: [string, string[]][] = [
    ['WWW', ['www A example.com', 'www A secret.example', 'xn--bcher-kva CNAME example.com'].sort()],
    ['www.example.com', ['www A example.com', 'xn--bcher-kva CNAME example.com']],
    ['WWW.Example.COM.', ['www A example.com']],
    ['www.secret.example', ['www A secret.example']],
    ['192.0.2.10', ['mapped AAAA example.com', ...both]],
    ['2001:db8::10', ['six AAAA example.com']],
    ['2001:0DB8:0:0:0:0:0:10', ['six AAAA example.com']],
    ['::ffff:c000:20a', ['mapped AAAA example.com']],
    ['::FFFF:192.0.2.10', ['mapped AAAA example.com']],
    ['some text', ['@ TXT example.com']],
    ['100%', ['@ TXT example.com']],
    ['10%', []],
    ['___', []],
    ['mail.other', ['@ MX example.com']],
    ['example.com', ['@ MX example.com', '@ TXT example.com', 'xn--bcher-kva CNAME example.com']],
    ['bücher', ['xn--bcher-kva CNAME example.com']],
    ['*.wild.example.com', ['*.wild A example.com']],
    ['x', ['x A example.com']],
    ['192.0.2.8/30', ['www A example.com', 'www A secret.example', '*.wild A example.com']],
    [
      '192.0.2.',
      [
        'mapped AAAA example.com',
        'www A example.com',
        'www A secret.example',
        'x A example.com',
        '*.wild A example.com',
      ],
    ],
    ['2001:db', ['six AAAA example.com']],
    ['2001:db8::', ['six AAAA example.com']],
    ['2001:db8:0', ['six AAAA example.com']],
    ['192.0.3.', []],
    ['2001:db8::/32', ['six AAAA example.com']],
    ['192.0.2.10/30', []],
    ['2001:db8::11', []],
    ['@', ['@ MX example.com', '@ TXT example.com']],
    ["';--", []],
    ['nothing.at.all', []],
  ]
  for (const [q, expected] of cases) t.same((await search(q)).sort(), expected.toSorted(), q)
})

void t.test('users search only their own domains', async (t) => {
  t.same(await search('192.0.2.10', ada), ['www A secret.example'])
  t.same(await search('www.example.com', ada), [])
  t.same(await search('six', ada), [])
})

void t.test('long texts match only as a whole', async (t) => {
  const text = 'Site_Verification=100%-0123456789abcdef-ABCDEF and more of it'
  const { id } = await zone.add('TXT', 'long', text)
  t.same(await search(text), ['long TXT example.com'])
  t.same(await search(text.slice(3).toUpperCase()), ['long TXT example.com'])
  for (const other of [text.replace('100%', '100x'), text.replace('5678', '5679'), text.replace('_', 'x')]) {
    t.same(await search(other), [], other)
  }
  await admin.delete(`${zone.url}/${id}`)
})

void t.test('delegates find the records in their scope', async (t) => {
  await addUser('bob')
  const bob = await signIn('bob')
  const assign = (domainId: string, subdomainPattern: string) =>
    admin.post('/api/assignments', { userId: bob.userId, domainId, subdomainPattern, permission: 'read' })
  t.same(await search('192.0.2.0/24', bob), [])
  await assign(zone.domainId, '*.wild')
  await assign(zone.domainId, 'www')
  t.same((await search('192.0.2.0/24', bob)).sort(), ['*.wild A example.com', 'www A example.com'])
  t.same(await search('192.0.2.12', bob), [])
  t.same(await search('some text', bob), [])
  await assign(theirs.id, '*')
  t.same((await search('192.0.2.10', bob)).sort(), ['www A example.com', 'www A secret.example'])
  t.same(await search('www.secret.example', bob), ['www A secret.example'])
})

void t.test('pages and limits', async (t) => {
  const get = async (query: string) => admin.get(`/api/records/search?${query}`)
  t.match(await get('q=192.0.2&limit=2&page=2'), { body: { total: 5, page: 2, limit: 2 } })
  t.match(await get('q=192.0.2&limit=2&page=9'), { body: { total: 5, records: { length: 0 } } })
  for (const query of ['', 'q=', `q=${'x'.repeat(254)}`, 'q=abc&limit=0', 'q=%00abc']) {
    t.match(await get(query), { status: 400 }, query)
  }
})
