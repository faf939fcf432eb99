import t from 'tap'
import { RECORD_TYPES, typeOf } from '../../../dns/types/index.ts'
import { startFakeDesec } from '../../conformance/simulators/desec.ts'

const fake = await startFakeDesec()
t.teardown(() => fake.close())
fake.createDomain('example.test', 60)

const call = async (method: string, path: string, body?: unknown, token = fake.token, at = fake) => {
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const url = path.startsWith('http') ? path : `${at.apiUrl}${path}`
  const answer = await fetch(url, { method, headers, ...init })
  const text = await answer.text()
  const value = text === '' ? undefined : (JSON.parse(text) as unknown)
  return { status: answer.status, headers: answer.headers, body: value }
}
const rrsets = '/domains/example.test/rrsets/'
const set = (subname: string, type: string, records: string[], ttl = 3600) => ({
  subname,
  type,
  records,
  ttl,
})
const reason = (text: string) => ({ status: 400, body: { non_field_errors: [new RegExp(text)] } })

void t.test('tokens', async (t) => {
  t.match(await call('GET', '/domains/', undefined, 'no'), {
    status: 401,
    body: { detail: 'Invalid token.' },
  })
  t.equal((await call('GET', '/auth/account/')).status, 200)
})

void t.test('domains', async (t) => {
  const made = await call('POST', '/domains/', { name: 'made.test' })
  t.match(made, { status: 201, body: { name: 'made.test', minimum_ttl: 3600, keys: [{ flags: 257 }] } })
  t.match(await call('POST', '/domains/', { name: 'made.test' }), {
    status: 400,
    body: { name: [/conflicts/] },
  })
  t.match((await call('GET', '/domains/?owns_qname=a.b.made.test')).body, [{ name: 'made.test' }])
  t.same((await call('GET', '/domains/?owns_qname=test')).body, [])
  const short = await call('POST', '/domains/made.test/rrsets/', set('a', 'A', ['192.0.2.1'], 300))
  t.match(short, { status: 400, body: { ttl: [/greater than or equal to 3600/] } })
  for (let i = 0; i < 2; i++) t.equal((await call('DELETE', '/domains/made.test/')).status, 204)
  const gone = { status: 404, body: { detail: 'No Domain matches the given query.' } }
  t.match(await call('GET', '/domains/made.test/'), gone)
  t.match(await call('GET', '/domains/made.test/rrsets/'), gone)
  t.equal((await call('GET', '/domains')).status, 404, 'a path without its slash')
})

void t.test('one set', async (t) => {
  const made = await call('POST', rrsets, set('', 'MX', ['10 mx.example.net.', '20 Mail']))
  const records = ['20 mail.example.test.', '10 mx.example.net.']
  t.match(made, { status: 201, body: { name: 'example.test.', records } }, 'written as the server does')
  t.match(await call('POST', rrsets, set('', 'MX', ['10 x.test.'])), reason('Another RRset'))
  t.match((await call('GET', `${rrsets}@/MX/`)).body, { subname: '', ttl: 3600 })
  t.match((await call('PATCH', `${rrsets}@/MX/`, { ttl: 60 })).body, { ttl: 60, records: { length: 2 } })
  t.match(await call('PUT', `${rrsets}@/MX/`, { ttl: 60 }), { status: 400, body: { records: [/required/] } })
  t.equal((await call('PATCH', `${rrsets}@/MX/`, { records: [] })).status, 204)
  t.match(await call('GET', `${rrsets}@/MX/`), {
    status: 404,
    body: { detail: 'No RRset matches the given query.' },
  })
  t.equal((await call('DELETE', `${rrsets}@/MX/`)).status, 204, 'of what is not there')
})

void t.test('what is refused', async (t) => {
  t.match(await call('POST', rrsets, set('', 'CNAME', ['a.test.'])), reason('empty subname'))
  t.match(await call('POST', rrsets, set('c', 'CNAME', ['a.test.', 'b.test.'])), reason('multiple'))
  t.match(await call('POST', rrsets, set('x', 'A', ['2001:db8::1'])), reason('malformed'))
  t.match(await call('POST', rrsets, set('x', 'TXT', ['bare'])), reason('malformed'))
  for (const type of ['ALIAS', 'SOA', 'a'])
    t.match(await call('POST', rrsets, set('x', type, ['a.test.'])), { status: 400, body: { type: [/./] } })
  t.match(await call('POST', rrsets, set('@', 'A', ['192.0.2.1'])), { status: 400, body: { subname: [/./] } })
  t.match(await call('POST', rrsets, set('x', 'A', ['192.0.2.1'], 86_401)), {
    status: 400,
    body: { ttl: [/./] },
  })
})

void t.test('many at once, all or nothing, with a list of errors', async (t) => {
  const first = [set('a', 'A', ['192.0.2.1']), set('b', 'CNAME', ['x.example.net.'])]
  t.equal((await call('PUT', rrsets, first)).status, 200)
  const swap = [set('a', 'CNAME', ['x.example.net.']), { subname: 'a', type: 'A', records: [] }]
  t.equal((await call('PATCH', rrsets, swap)).status, 200, 'one makes room for another')
  const bad = [set('new', 'A', ['192.0.2.1']), set('b', 'A', ['192.0.2.1'])]
  const clash = { non_field_errors: [/conflicting type present at same subname: database \(CNAME\)/] }
  t.match(await call('PATCH', rrsets, bad), { status: 400, body: [{}, clash] })
  t.same((await call('GET', `${rrsets}?subname=new`)).body, [])
  const twice = [set('t', 'A', ['192.0.2.1']), set('t', 'A', ['192.0.2.2'])]
  t.match(await call('PATCH', rrsets, twice), {
    status: 400,
    body: [{ non_field_errors: [/position\(s\) 1/] }, {}],
  })
  t.equal((await call('PATCH', rrsets, set('o', 'A', ['192.0.2.1']))).status, 400, 'one alone')
})

void t.test('more than 500 come by cursors alone', async (t) => {
  const many = fake.createDomain('many.test')
  many.write(
    'POST',
    Array.from({ length: 1100 }, (_, i) => set(`h${i}`, 'A', ['192.0.2.1'])),
  )
  const path = '/domains/many.test/rrsets/'
  const refused = await call('GET', path)
  t.match([refused.status, refused.headers.get('link')], [400, /cursor=>; rel="first"/])
  t.equal(((await call('GET', `${path}?subname=h7`)).body as unknown[]).length, 1)
  const lengths: number[] = []
  for (let next: string | undefined = `${path}?cursor=`; next !== undefined;) {
    const { body, headers } = await call('GET', next)
    lengths.push((body as unknown[]).length)
    next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  t.same(lengths, [500, 500, 101], 'with its own NS')
})

void t.test('each type that both have goes there and comes back', async (t) => {
  for (const type of RECORD_TYPES) {
    const known = typeOf(type)
    const { status, body } = await call('PUT', rrsets, [
      set(`of-${type.toLowerCase()}`, type, [known.write(known.example)]),
    ])
    const [first] = Array.isArray(body) ? (body as { records: string[] }[]) : []
    if (status === 200) t.equal(known.read(first?.records[0] ?? ''), known.example, type)
  }
})

void t.test('too many writes', async (t) => {
  const narrow = await startFakeDesec({ writes: [[1, 60]], maxDomains: 1 })
  t.teardown(() => narrow.close())
  narrow.createDomain('narrow.test')
  const put = () =>
    call('PUT', '/domains/narrow.test/rrsets/', [set('a', 'A', ['192.0.2.1'])], narrow.token, narrow)
  t.equal((await put()).status, 200)
  const refused = await put()
  t.match(refused, {
    status: 429,
    body: { detail: /^Request was throttled. Expected available in \d+ seconds/ },
  })
  t.ok(Number(refused.headers.get('retry-after')) > 50)
  t.equal((await call('POST', '/domains/', { name: 'b.test' }, narrow.token, narrow)).status, 403)
})
