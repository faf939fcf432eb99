import t from 'tap'
import { startFakeLinode } from '../../conformance/simulators/linode.ts'

const fake = await startFakeLinode()
t.teardown(() => fake.close())
const domain = fake.createDomain('example.test')

interface Answer {
  id?: number
  data?: { id: number; name: string }[]
  pages?: number
  ttl_sec?: number
}
const call = async (
  method: string,
  path: string,
  body?: unknown,
  { token = fake.token, at = fake, filter = null as object | null } = {},
) => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(filter !== null && { 'x-filter': JSON.stringify(filter) }),
  }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${at.apiUrl}${path}`, { method, headers, ...init })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer }
}
const records = `/domains/${domain.id}/records`
const a = (name: string, target = '192.0.2.1') => ({ type: 'A', name, target })
const invalid = (field: string) => ({ status: 400, body: { errors: [{ reason: /./, field }] } })
const error = (status: number, reason: string) => ({ status, body: { errors: [{ reason }] } })

void t.test('tokens and domains', async (t) => {
  t.match(await call('GET', '/domains', undefined, { token: 'no' }), error(401, 'Invalid Token'))
  const wanted = { domain: 'made.test', type: 'master', soa_email: 'admin@made.test' }
  t.match(await call('POST', '/domains', wanted, { token: fake.readToken }), error(403, 'Unauthorized'))
  t.match(await call('POST', '/domains', { domain: 'made.test', type: 'master' }), invalid('soa_email'))
  const made = await call('POST', '/domains', wanted)
  t.match(made, { status: 200, body: { id: Number, type: 'master', status: 'active' } })
  t.match(await call('POST', '/domains', wanted), invalid('domain'))
  const found = await call('GET', '/domains', undefined, { filter: { domain: 'made.test' } })
  t.match(found.body, { data: [{ domain: 'made.test' }], page: 1, pages: 1, results: 1 })
  t.match(await call('GET', '/domains', undefined, { filter: { id: 1 } }), invalid('X-Filter'))
  const path = `/domains/${made.body.id}`
  t.match(await call('DELETE', path), { status: 200, body: {} })
  t.match(await call('DELETE', path), error(404, 'Not found'))
  t.match(await call('GET', `${path}/records`), error(404, 'Not found'))
  t.match(await call('GET', '/domains/made.test'), error(404, 'Not found'), 'domains go by ids')
  const slave = fake.createDomain('slave.test', 'slave')
  t.match(await call('POST', `/domains/${slave.id}/records`, a('x')), { status: 400 })
})

void t.test('records', async (t) => {
  const made = await call('POST', records, { type: 'MX', name: '', target: 'mx.test.', priority: 5 })
  const shown = { type: 'MX', name: '', target: 'mx.test', priority: 5, ttl_sec: 0, tag: null }
  t.match(made, { status: 200, body: shown })
  const path = `${records}/${made.body.id}`
  t.match(await call('PUT', path, { ttl_sec: 301 }), { status: 200, body: { ...shown, ttl_sec: 3600 } })
  t.match(await call('PUT', path, { target: '', priority: 0 }), { body: { target: '', ttl_sec: 3600 } })
  t.match(await call('PUT', path, { type: 'NS' }), invalid('type'))
  t.match(await call('DELETE', path), { status: 200, body: {} })
  t.match(await call('GET', path), error(404, 'Not found'))
})

void t.test('an SRV is named by its service and protocol, which are sent without underscores', async (t) => {
  const srv = {
    type: 'SRV',
    service: 'sip',
    protocol: 'tcp',
    target: 'a.test',
    priority: 1,
    weight: 2,
    port: 3,
  }
  const made = await call('POST', records, srv)
  t.match(made.body, { name: '_sip._tcp', service: '_sip', protocol: '_tcp' })
  const path = `${records}/${made.body.id}`
  t.match((await call('PUT', path, { port: 4 })).body, { name: '_sip._tcp', port: 4 })
  t.match(await call('PUT', path, made.body), invalid('service'), 'what is shown is not taken')
  t.match(await call('POST', records, { ...srv, name: '_sip._tcp.sub' }), invalid('name'))
})

void t.test('what is there is made once more', async (t) => {
  for (let i = 0; i < 2; i++) t.equal((await call('POST', records, a('twice'))).status, 200)
  const filter = { name: 'twice', type: 'A' }
  t.equal((await call('GET', records, undefined, { filter })).body.data?.length, 2)
})

void t.test('what is refused', async (t) => {
  await call('POST', records, a('taken'))
  for (const [wrong, field] of [
    [a('@'), 'name'],
    [a('x', '2001:db8::1'), 'target'],
    [{ ...a('x'), ttl_sec: 2_419_201 }, 'ttl_sec'],
    [{ ...a('x'), type: 'TLSA' }, 'type'],
    [{ type: 'NS', name: '', target: 'ns.test' }, 'name'],
    [{ type: 'CNAME', name: '', target: 'a.test' }, 'name'],
    [{ type: 'CNAME', name: 'taken', target: 'a.test' }, 'name'],
    [{ type: 'MX', name: 'x', target: 'mx.test' }, 'priority'],
    [{ type: 'MX', name: 'x', target: '.', priority: 0 }, 'target'],
    [{ type: 'CAA', name: 'x', target: 'ca.test' }, 'tag'],
    [{ type: 'CAA', name: 'x', target: 'ca.test; a=b', tag: 'issue' }, 'target'],
  ] as const)
    t.match(await call('POST', records, wrong), invalid(field), JSON.stringify(wrong))
})

void t.test('pages', async (t) => {
  const paged = fake.createDomain('paged.test')
  for (let i = 0; i < 1003; i++) paged.post(a(`h${i}`))
  const path = `/domains/${paged.id}/records`
  const lengths: (number | undefined)[] = []
  for (let at = 1, pages = 1; at <= pages; at++) {
    const { body } = await call('GET', `${path}?page_size=500&page=${at}`)
    lengths.push(body.data?.length)
    pages = body.pages ?? 0
  }
  t.same(lengths, [500, 500, 3])
  t.equal((await call('GET', path)).body.data?.length, 100)
  t.match(await call('GET', `${path}?page_size=24`), invalid('page_size'))
  t.match(await call('GET', `${path}?page_size=501`), invalid('page_size'))
  t.match(await call('GET', `${path}?page_size=500&page=4`), error(404, 'Not found'))
})

void t.test('too many calls; Retry-After of all others is no request to wait', async (t) => {
  const narrow = await startFakeLinode({ rate: 1 })
  t.teardown(() => narrow.close())
  const get = () => call('GET', '/profile', undefined, { token: narrow.token, at: narrow })
  const first = await get()
  t.match([first.status, first.headers.get('retry-after')], [200, /^\d+$/])
  const { status, headers } = await get()
  t.match([status, headers.get('retry-after'), headers.get('x-ratelimit-limit')], [429, null, '1'])
})

void t.test('a TTL can be lost when a record is made', async (t) => {
  const losing = await startFakeLinode({ losesTtl: true })
  t.teardown(() => losing.close())
  const { id } = losing.createDomain('losing.test')
  const options = { token: losing.token, at: losing }
  const made = await call('POST', `/domains/${id}/records`, { ...a('x'), ttl_sec: 300 }, options)
  t.equal(made.body.ttl_sec, 0)
  const put = await call('PUT', `/domains/${id}/records/${made.body.id}`, { ttl_sec: 300 }, options)
  t.equal(put.body.ttl_sec, 300)
})
